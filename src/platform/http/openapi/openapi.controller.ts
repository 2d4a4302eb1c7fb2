import { Controller, Get } from '@nestjs/common';
import { jsonFile, type ServedFile } from '../answers/served-file.js';
import { Public } from '../route-marks.js';
import { OpenApiDocument } from './openapi-document.js';

@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly document: OpenApiDocument) {}

  @Public()
  @Get()
  async get(): Promise<ServedFile> {
    return jsonFile(await this.document.get());
  }
}
