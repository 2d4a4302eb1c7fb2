import { Controller, Get } from '@nestjs/common';
import { jsonFile, type ServedFile } from '../../platform/http/answers/served-file.js';
import { Public } from '../../platform/http/route-marks.js';

@Controller('asyncapi.json')
export class AsyncApiController {
  @Public()
  @Get()
  async get(): Promise<ServedFile> {
    const { asyncApi } = await import('./asyncapi.js');
    return jsonFile(asyncApi());
  }
}
