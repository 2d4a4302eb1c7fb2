import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { FILE_STORE, type FileStore, newFileName } from '../../../platform/file-store/file-store.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { DomainError, refuse } from '../../../platform/kernel/deciding.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { PictureMaker } from '../../../platform/pictures/picture-maker.js';
import type { PictureTask } from '../../../platform/pictures/picture-task.js';
import { MeasuredContent } from '../commands/measured-content.js';
import type { MeasuredFile } from '../domain/upload-file.js';
import { LARGEST_PICTURE_MIB } from '../domain/upload-settings.js';

type Task = Omit<PictureTask, 'deadline' | 'mayBeOriginal'>;

/** Makes the pictures that an event names, such as an emoji or an avatar, and stores them as files of their own. */
@Injectable()
export class PictureFiles {
  constructor(
    @Inject(FILE_STORE) private readonly files: FileStore,
    private readonly maker: PictureMaker,
  ) {}

  /**
   * Makes a picture of what a client sends. All of it is received first, so that a slow client keeps nobody waiting.
   * @throws as `remade`; DomainError FILE_TOO_LARGE; errors of the content; FileStoreUnavailable
   */
  async made(task: Task, content: AsyncIterable<Uint8Array>, asker: Asker): Promise<Buffer> {
    const original = newFileName();
    await this.files.receive(original, new MeasuredContent(content, LARGEST_PICTURE_MIB));
    try {
      return await this.make(task, asker, async () => {
        const file = await this.files.read(original);
        if (!file) throw new UnavailableError('the uploaded picture is gone');
        return file.content;
      });
    } finally {
      await this.remove([original]);
    }
  }

  /** Makes another of a made picture. @throws DomainError if no picture can be made; UnavailableError */
  remade(task: Task, picture: Buffer, asker: Asker): Promise<Buffer> {
    return this.make(task, asker, async () => Readable.from([picture]));
  }

  /**
   * Stores the pictures, has `append` append the event that names them, then commits them. A crash in between may leave
   * pictures without an event, which the sweeper of uploads removes. It never leaves an event without its pictures.
   *
   * @param append gets the files, in order
   * @throws FileStoreUnavailable, and what `append` throws
   */
  async stored<Result>(
    pictures: readonly Buffer[],
    append: (files: readonly MeasuredFile[]) => Promise<Result>,
  ): Promise<Result> {
    const files = await this.receive(pictures);
    const names = files.map(({ fileId }) => fileId);
    let result: Result;
    try {
      result = await append(files);
    } catch (error) {
      // After other errors the event may be in the log, so the sweeper decides.
      if (error instanceof DomainError) await this.remove(names);
      throw error;
    }
    // If committing fails, the sweeper does it later.
    await Promise.allSettled(names.map((name) => this.files.commit(name)));
    return result;
  }

  private async receive(pictures: readonly Buffer[]): Promise<readonly MeasuredFile[]> {
    const files: MeasuredFile[] = [];
    try {
      for (const picture of pictures) {
        const fileId = newFileName();
        await this.files.receive(fileId, Readable.from([picture]));
        files.push({ fileId, measure: { size: picture.length, sha256: hash('sha256', picture) } });
      }
      return files;
    } catch (error) {
      await this.remove(files.map(({ fileId }) => fileId));
      throw error;
    }
  }

  /** If removing fails, the sweeper does it later. */
  private async remove(names: readonly string[]): Promise<void> {
    await this.files.remove(names).catch(() => {});
  }

  private async make(task: Task, asker: Asker, open: () => Promise<Readable>): Promise<Buffer> {
    const outcome = await this.maker.make({ asker, task: { ...task, mayBeOriginal: false }, open });
    switch (outcome.kind) {
      case 'made':
        return outcome.bytes;
      case 'failed':
        throw new UnavailableError(`pictures cannot be made: ${outcome.reason}`);
      case 'excessive':
        return refuse('UPLOADED_PICTURE_EXCESSIVE');
      // `small` is the answer to a task that allows the original only.
      case 'small':
      case 'unreadable':
        return refuse('UPLOADED_PICTURE_UNREADABLE');
    }
  }
}
