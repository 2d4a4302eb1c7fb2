import { Inject, Injectable } from '@nestjs/common';
import type { StateParts, StateReader } from '../event-queues/state-reader.js';
import { UPLOAD_SETTINGS, type UploadSettings } from './domain/upload-settings.js';

@Injectable()
export class UploadStateReader implements StateReader {
  constructor(@Inject(UPLOAD_SETTINGS) private readonly settings: UploadSettings) {}

  parts(): StateParts {
    return { organization: { realm: () => ({ max_file_upload_size_mib: this.settings.maxFileMib }) } };
  }
}
