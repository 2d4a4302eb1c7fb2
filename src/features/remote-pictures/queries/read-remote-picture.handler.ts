import { buffer } from 'node:stream/consumers';
import { Inject, Logger } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type CachedFile, FileCache } from '../../../platform/file-cache/file-cache.js';
import type { StoredFile } from '../../../platform/file-store/file-store.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { Query } from '../../../platform/kernel/query.js';
import { PictureMaker } from '../../../platform/pictures/picture-maker.js';
import type { PictureOutcome, PictureTask } from '../../../platform/pictures/picture-task.js';
import { pictureTypeOf } from '../domain/picture-type.js';
import { FETCH_BOUNDS, REMOTE_PICTURE_SETTINGS, type RemotePictureSettings } from '../remote-pictures.settings.js';
import { RememberedRefusals } from '../services/remembered-refusals.js';
import { RemoteOriginals } from '../services/remote-originals.js';
import { type RemoteSource, remoteSource } from './remote-source.js';

type Frame = Pick<PictureTask, 'maxWidth' | 'maxHeight' | 'animated'>;

export interface RemotePicture extends StoredFile {
  /** By its bytes. */
  readonly type: string;
  /** Differs whenever the bytes do. */
  readonly version: string;
}

/**
 * Reads a picture of another site from the cache, and fetches it first if it is missing.
 * `within`: the size of a smaller picture; null: the original.
 */
export class ReadRemotePicture extends Query<{ asker: Asker; url: string; within: Frame | null }, RemotePicture> {}

@QueryHandler(ReadRemotePicture)
export class ReadRemotePictureHandler implements IQueryHandler<ReadRemotePicture> {
  private readonly log = new Logger('Pictures');
  private readonly refusals = new RememberedRefusals(FETCH_BOUNDS.failuresRemembered);

  constructor(
    @Inject(REMOTE_PICTURE_SETTINGS) private readonly settings: RemotePictureSettings,
    private readonly cache: FileCache,
    private readonly originals: RemoteOriginals,
    private readonly maker: PictureMaker,
  ) {}

  /** @throws DomainError, UnavailableError */
  async execute({ asker, url, within }: ReadRemotePicture): Promise<RemotePicture> {
    if (!this.settings.areFetched) refuse('PICTURE_ELSEWHERE');
    const source = remoteSource(url) ?? refuse('REMOTE_PICTURE_URL_INVALID');
    if (within === null) return this.original(source, asker);
    const name = `${source.key}-${within.maxWidth}x${within.maxHeight}`;
    const cached = await this.cached(name);
    if (cached) return cached;
    const original = await this.original(source, asker);
    original.content.destroy();
    await this.refusals.run(name, () => this.make(source, name, { frame: within, asker }));
    return (await this.cached(name)) ?? this.original(source, asker);
  }

  private async original(source: RemoteSource, { account }: Asker): Promise<RemotePicture> {
    const cached = await this.cached(source.key);
    if (cached) return cached;
    await this.originals.fetch(source, account);
    return (await this.cached(source.key)) ?? gone();
  }

  private async cached(name: string): Promise<RemotePicture | null> {
    const file = await this.cache.open(name);
    const type = file && pictureTypeOf(file.head);
    if (file && type) return { ...file, type, version: `${name}-${Math.trunc(file.storedAt)}` };
    file?.content.destroy();
    return null;
  }

  private async make({ key }: RemoteSource, name: string, { frame, asker }: { frame: Frame; asker: Asker }) {
    const open = async (): Promise<CachedFile['content']> => (await this.cache.open(key))?.content ?? gone();
    await this.maker.make({
      asker,
      task: { ...frame, mayBeOriginal: true },
      open,
      key: `remote ${name}`,
      finish: (outcome) => this.store(name, outcome, open),
    });
  }

  /** Stores the smaller picture; if none can be made here, stores nothing. */
  private async store(name: string, outcome: PictureOutcome, open: () => Promise<CachedFile['content']>) {
    switch (outcome.kind) {
      case 'made':
        return this.cache.store(name, outcome.bytes);
      case 'small':
        return this.cache.store(name, await buffer(await open()));
      case 'failed':
        this.log.warn(`pictures are sent as they are, none can be made: ${outcome.reason}`);
        return;
      case 'unreadable':
        return refuse('REMOTE_PICTURE_UNREADABLE');
      case 'excessive':
        return refuse('REMOTE_PICTURE_EXCESSIVE');
    }
  }
}

function gone(): never {
  throw new UnavailableError('the picture was removed from the cache meanwhile');
}
