import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type FileDeleted,
  type FileUploaded,
  UPLOADS_STREAM,
  uploadRevisionOf,
  uploadStream,
} from '../../../events/uploads/uploads.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { DecidedStream } from '../../../platform/commands/stream-states.js';
import { FILE_STORE, type FileStore } from '../../../platform/file-store/file-store.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { asUploaded, DeleteFile, decideDeleteFile, type UploadState, uploadLife } from '../domain/upload-file.js';

@CommandHandler(DeleteFile)
export class DeleteFileHandler implements ICommandHandler<DeleteFile> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    @Inject(FILE_STORE) private readonly files: FileStore,
  ) {}

  async execute(command: DeleteFile): Promise<void> {
    const request = {
      ...decidedMessage(command.attachmentId),
      decide: decideDeleteFile,
      command,
      context: undefined,
      by: command.by,
    };
    const { events, position } = await this.runner.decide(request);
    const { fileIds, keyIds } = this.runner.endedBy(events);
    await this.readYourWrites.waitForDeletion(position, events, async () => {
      await this.files.remove(fileIds);
      await this.runner.destroyKeys(keyIds);
    });
  }
}

const decidedMessage = (attachmentId: number): DecidedStream<UploadState, FileDeleted> => ({
  stream: uploadStream(attachmentId),
  decider: uploadLife,
  expects: 'any',
  origin: {
    stream: UPLOADS_STREAM,
    revision: uploadRevisionOf(attachmentId),
    begin: (event) => asUploaded(event as Recorded<FileUploaded>),
  },
});
