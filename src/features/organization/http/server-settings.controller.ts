import { Controller, Get } from '@nestjs/common';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Public } from '../../../platform/http/route-marks.js';
import { GetServerSettings } from '../queries/get-server-settings.handler.js';

@Controller('server_settings')
export class ServerSettingsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Public()
  @Get()
  get(): Promise<object> {
    return this.dispatch.ask(new GetServerSettings());
  }
}
