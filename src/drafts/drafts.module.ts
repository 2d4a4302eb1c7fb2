import { Module } from '@nestjs/common';
import { CreateDraftsHandler } from './commands/create-drafts.handler.js';
import { DeleteDraftHandler } from './commands/delete-draft.handler.js';
import { DraftsStream } from './commands/drafts-stream.js';
import { EditDraftHandler } from './commands/edit-draft.handler.js';
import { DraftsController } from './http/drafts.controller.js';
import { GetDraftsHandler } from './queries/get-drafts.handler.js';

@Module({
  controllers: [DraftsController],
  providers: [DraftsStream, CreateDraftsHandler, EditDraftHandler, DeleteDraftHandler, GetDraftsHandler],
})
export class DraftsModule {}
