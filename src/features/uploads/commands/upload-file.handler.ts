import { randomBytes } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import mime from 'mime';
import { Directory } from '../../../directory/directory.js';
import { type FileUploaded, UPLOADS_STREAM } from '../../../events/uploads/uploads.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { FILE_STORE, type FileStore, newFileName } from '../../../platform/file-store/file-store.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { contentTypeOf } from '../domain/content-type.js';
import { pathIdOf } from '../domain/file-path.js';
import { decideUploadFile, type UploadedFile, UploadFile } from '../domain/upload-file.js';
import { UPLOAD_SETTINGS, type UploadSettings } from '../domain/upload-settings.js';
import { PictureMeasuring } from '../services/picture-measuring.js';
import { MeasuredContent } from './measured-content.js';

/**
 * Stores the bytes, appends the event, then marks the bytes as kept. A crash in between may leave bytes without an event,
 * which the sweeper removes. It never leaves an event without its bytes.
 */
@CommandHandler(UploadFile)
export class UploadFileHandler implements ICommandHandler<UploadFile> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly measuring: PictureMeasuring,
    @Inject(FILE_STORE) private readonly files: FileStore,
    @Inject(UPLOAD_SETTINGS) private readonly settings: UploadSettings,
  ) {}

  /** @throws DomainError FILE_TOO_LARGE, USER_DEACTIVATED; errors of the content; FileStoreUnavailable */
  async execute(command: UploadFile): Promise<UploadedFile> {
    const fileId = newFileName();
    const content = new MeasuredContent(command.file.content, this.settings.maxFileMib);
    await this.files.receive(fileId, content);
    const event = await this.decided(command, fileId, content);
    const id = newEventId();
    const undo = () => this.takeBack(fileId, id);
    const sealing = await this.runner.sealingKey(id).catch(async (error: unknown) => {
      await undo();
      throw error;
    });
    const { position } = await this.runner.report(UPLOADS_STREAM, event, command.by, { id, sealing, undo });
    // If marking fails, the sweeper marks the bytes later: the event is in the log.
    await this.files.commit(fileId).catch(() => {});
    await this.readYourWrites.waitFor(position, [event]);
    return answerOf(event);
  }

  private async decided(command: UploadFile, fileId: string, content: MeasuredContent): Promise<FileUploaded> {
    const { file, ownerId } = command;
    const { size } = content;
    const usualType = mime.getType(file.name);
    const contentType = contentTypeOf(file.contentType, usualType);
    const picture = await this.measuring.measure({ fileId, size, contentType, ownerId });
    try {
      return decideUploadFile(command, {
        fileId,
        folder: randomBytes(1).toString('hex'),
        size,
        sha256: content.sha256(),
        usualType,
        picture,
        isOwnerActive: this.directory.user(ownerId)?.isActive ?? false,
      });
    } catch (error) {
      await this.files.remove([fileId]).catch(() => {});
      throw error;
    }
  }

  /** Removes the bytes. If that fails, the sweeper removes them later. */
  private async takeBack(fileId: string, keyId: string): Promise<void> {
    await Promise.allSettled([this.files.remove([fileId]), this.runner.destroyKeys([keyId])]);
  }
}

function answerOf({ data: { fileId, content } }: FileUploaded): UploadedFile {
  if (!content) throw new TypeError('a file that has just come has a name');
  return { name: content.name, pathId: pathIdOf({ ...content, fileId }) };
}
