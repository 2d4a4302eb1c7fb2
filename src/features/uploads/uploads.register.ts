import { Inject } from '@nestjs/common';
import { ReadsState, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { THUMBNAIL_FORMATS } from './domain/thumbnail-format.js';
import { UPLOAD_SETTINGS, type UploadSettings } from './domain/upload-settings.js';

@ReadsState()
export class UploadStateReader implements StateReader {
  constructor(@Inject(UPLOAD_SETTINGS) private readonly settings: UploadSettings) {}

  parts(): StateParts {
    return {
      organization: {
        realm: () => ({
          max_file_upload_size_mib: this.settings.maxFileMib,
          server_thumbnail_formats: THUMBNAIL_FORMATS,
        }),
      },
    };
  }
}
