import type { FeatureApi } from '../feature.js';
import { DeleteFileHandler } from './commands/delete-file.handler.js';
import { TemporaryUrls } from './commands/temporary-urls.js';
import { UnusedFileSweeper } from './commands/unused-file-sweeper.js';
import { UploadFileHandler } from './commands/upload-file.handler.js';
import { UploadSweeper } from './commands/upload-sweeper.js';
import { AttachmentsController } from './http/attachments.controller.js';
import { FilesController } from './http/files.controller.js';
import { UploadsController } from './http/uploads.controller.js';
import { GetAttachmentsHandler } from './queries/get-attachments.handler.js';
import { GetFileHandler, GetLinkedFileHandler } from './queries/get-file.handler.js';
import { ReadFileHandler } from './queries/read-file.handler.js';

import { AttachmentClientEvents } from './uploads.client-events.js';

import { UploadStateReader } from './uploads.register.js';

export const api: FeatureApi = {
  controllers: [UploadsController, FilesController, AttachmentsController],
  providers: [
    UploadFileHandler,
    DeleteFileHandler,
    TemporaryUrls,
    UploadSweeper,
    UnusedFileSweeper,
    GetFileHandler,
    GetLinkedFileHandler,
    ReadFileHandler,
    GetAttachmentsHandler,
  ],
  clientEvents: [AttachmentClientEvents],
  register: [UploadStateReader],
};
