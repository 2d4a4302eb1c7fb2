import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Public } from '../../../platform/http/public.decorator.js';
import { GetServerSettings } from '../queries/get-server-settings.handler.js';

@Controller('server_settings')
export class ServerSettingsController {
  constructor(private readonly queries: QueryBus) {}

  @Public()
  @Get()
  get(): Promise<object> {
    return this.queries.execute(new GetServerSettings());
  }
}
