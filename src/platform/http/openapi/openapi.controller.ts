import { Controller, Get } from '@nestjs/common';
import { WithoutEnvelope } from '../envelope.js';
import { Public } from '../route-marks.js';
import { OpenApiDocument } from './openapi-document.js';

@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly document: OpenApiDocument) {}

  @Public()
  @Get()
  async get(): Promise<WithoutEnvelope> {
    return new WithoutEnvelope(await this.document.get());
  }
}
