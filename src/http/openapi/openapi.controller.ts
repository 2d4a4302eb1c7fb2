import { Controller, Get } from '@nestjs/common';
import { WithoutEnvelope } from '../envelope.interceptor.js';
import { Public } from '../public.decorator.js';
import { OpenApiDocument } from './openapi-document.js';

@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly document: OpenApiDocument) {}

  @Public()
  @WithoutEnvelope()
  @Get()
  get(): Promise<object> {
    return this.document.get();
  }
}
