import { Readable } from 'node:stream';
import { Inject, Logger } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { FILE_STORE, type FileStore, type StoredFile } from '../../../platform/file-store/file-store.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';
import { Query } from '../../../platform/kernel/query.js';
import { PictureMaker, type PictureOrder } from '../../../platform/pictures/picture-maker.js';
import { LONGEST_ORIGINAL, type PictureOutcome } from '../../../platform/pictures/picture-task.js';
import { isShown } from '../domain/content-type.js';
import { type ThumbnailFormat, variantOf } from '../domain/thumbnail-format.js';
import { placeOfUpload, RecordedFiles } from '../log/recorded-files.js';
import type { FoundFile } from './uploads.queries.js';

/** Reads a smaller picture of a file, and makes it first if it is missing. null: the file itself is to be sent. */
export class ReadThumbnail extends Query<
  { file: FoundFile; format: ThumbnailFormat; asker: Asker },
  StoredFile | null
> {}

type PictureLess = Exclude<PictureOutcome, { readonly kind: 'made' | 'failed' }>;

/** The maker reads no bitmaps. Browsers do: they get the original, however large it is. */
const UNREAD = 'image/bmp';

/** Files for which the process remembers that there is nothing to make. */
const MOST_REMEMBERED = 10_000;

@QueryHandler(ReadThumbnail)
export class ReadThumbnailHandler implements IQueryHandler<ReadThumbnail> {
  private readonly log = new Logger('Pictures');
  private readonly remembered = new LruMap<string, PictureLess>(MOST_REMEMBERED);

  constructor(
    @Inject(FILE_STORE) private readonly files: FileStore,
    private readonly originals: RecordedFiles,
    private readonly maker: PictureMaker,
  ) {}

  /** @throws DomainError if it cannot be made, or too many of the account wait; UnavailableError, FileStoreUnavailable */
  async execute({ file, format, asker }: ReadThumbnail): Promise<StoredFile | null> {
    const stored = await this.files.readDerived(file.fileId, variantOf(format));
    if (stored) return stored;
    const outcome = await this.outcome(file, format, asker);
    switch (outcome.kind) {
      case 'made':
        return { size: outcome.bytes.length, content: Readable.from([outcome.bytes]) };
      case 'small':
      case 'failed':
        return null;
      case 'unreadable':
        return refuse('PICTURE_UNREADABLE');
      case 'excessive':
        return refuse('PICTURE_TOO_LARGE');
    }
  }

  private async outcome(file: FoundFile, format: ThumbnailFormat, asker: Asker): Promise<PictureOutcome> {
    if (file.contentType === UNREAD) return { kind: 'small' };
    if (file.size > LONGEST_ORIGINAL) return { kind: 'excessive' };
    const key = `${file.fileId}/${format.name}`;
    const known = this.remembered.get(key);
    if (known) return known;
    const outcome = await this.maker.make({ ...this.order(file, format), key: `upload ${key}`, asker });
    if (outcome.kind !== 'made' && outcome.kind !== 'failed') this.remembered.set(key, { kind: outcome.kind });
    return outcome;
  }

  private order(
    { attachmentId, fileId, contentType }: FoundFile,
    format: ThumbnailFormat,
  ): Omit<PictureOrder, 'key' | 'asker'> {
    const { max_width: maxWidth, max_height: maxHeight, animated } = format;
    const mayBeOriginal = contentType.startsWith('image/') && isShown(contentType);
    return {
      task: { maxWidth, maxHeight, animated, mayBeOriginal },
      open: async () => {
        const original = await this.originals.read(fileId, placeOfUpload(attachmentId));
        return (original ?? refuse('FILE_NOT_FOUND')).content;
      },
      finish: async (outcome) => {
        if (outcome.kind === 'failed')
          this.log.warn(`pictures are sent as they are, none can be made: ${outcome.reason}`);
        if (outcome.kind === 'made' && !(await this.files.storeDerived(fileId, variantOf(format), outcome.bytes)))
          refuse('FILE_NOT_FOUND');
      },
    };
  }
}
