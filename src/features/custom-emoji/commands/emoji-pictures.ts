import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { FILE_STORE, type FileStore } from '../../../platform/file-store/file-store.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { PictureMaker } from '../../../platform/pictures/picture-maker.js';
import { isAnimation } from '../../../platform/pictures/picture-task.js';

const SIDE = 64;
const TASK = { maxWidth: SIDE, maxHeight: SIDE, isExact: true, mayBeOriginal: false } as const;

/** Names of received pictures. */
export interface ReceivedPictures {
  readonly fileId: string;
  /** null: the picture does not move. */
  readonly stillFileId: string | null;
}

/** Makes the pictures of an emoji, and stores them. */
@Injectable()
export class EmojiPictures {
  constructor(
    @Inject(FILE_STORE) private readonly files: FileStore,
    private readonly maker: PictureMaker,
  ) {}

  /**
   * Stores a picture, and its first frame if it is an animation. Both are received, and not committed.
   *
   * @throws DomainError if no picture can be made; errors of the content; UnavailableError, FileStoreUnavailable
   */
  async receive(content: AsyncIterable<Uint8Array>): Promise<ReceivedPictures> {
    const picture = await this.made(true, () => Readable.from(content, { objectMode: false }));
    // The small picture is the source of the still one: the upload can be read only once.
    const still = isAnimation(picture) ? await this.made(false, () => Readable.from([picture])) : null;
    const fileId = await this.store(picture);
    if (still === null) return { fileId, stillFileId: null };
    try {
      return { fileId, stillFileId: await this.store(still) };
    } catch (error) {
      await this.remove({ fileId, stillFileId: null });
      throw error;
    }
  }

  /** Makes the pictures stay. If that fails, the sweeper of uploads does it later. */
  async commit(pictures: ReceivedPictures): Promise<void> {
    await Promise.allSettled(namesOf(pictures).map((name) => this.files.commit(name)));
  }

  /** If removing fails, the sweeper of uploads does it later. */
  async remove(pictures: ReceivedPictures): Promise<void> {
    await this.files.remove(namesOf(pictures)).catch(() => {});
  }

  private async made(animated: boolean, open: () => Readable): Promise<Buffer> {
    const outcome = await this.maker.make({ ...TASK, animated }, async () => open());
    switch (outcome.kind) {
      case 'made':
        return outcome.bytes;
      case 'failed':
        throw new UnavailableError(`pictures cannot be made: ${outcome.reason}`);
      case 'excessive':
        return refuse('EMOJI_PICTURE_EXCESSIVE');
      // `small` is the answer to a task that allows the original only.
      case 'small':
      case 'unreadable':
        return refuse('EMOJI_PICTURE_UNREADABLE');
    }
  }

  private async store(picture: Buffer): Promise<string> {
    const name = randomBytes(18).toString('base64url');
    await this.files.receive(name, Readable.from([picture]));
    return name;
  }
}

const namesOf = ({ fileId, stillFileId }: ReceivedPictures): string[] =>
  stillFileId === null ? [fileId] : [fileId, stillFileId];
