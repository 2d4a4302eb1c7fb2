import { featureSettings, THAT_ANSWER_CLIENTS, wholeNumber } from '../../platform/settings/setting.js';
import { UPLOAD_SETTINGS, type UploadSettings } from './domain/upload-settings.js';

export const uploadSettings = featureSettings(
  {
    maxFileUploadMib: wholeNumber({
      environment: 'ANNALS_MAX_FILE_UPLOAD_MIB',
      about: 'largest file that can be uploaded, in MiB',
      range: [1, 1024],
      default: 25,
      commands: THAT_ANSWER_CLIENTS,
    }),
  },
  ({ maxFileUploadMib }) => [[UPLOAD_SETTINGS, { maxFileMib: maxFileUploadMib } satisfies UploadSettings]],
);
