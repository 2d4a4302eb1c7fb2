import { Controller, Get } from '@nestjs/common';
import { WithoutEnvelope } from '../../platform/http/envelope.js';
import { Public } from '../../platform/http/route-marks.js';

@Controller('asyncapi.json')
export class AsyncApiController {
  @Public()
  @Get()
  async get(): Promise<WithoutEnvelope> {
    const { asyncApi } = await import('./asyncapi.js');
    return new WithoutEnvelope(asyncApi());
  }
}
