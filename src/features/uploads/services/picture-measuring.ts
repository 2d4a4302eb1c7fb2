import { Inject, Injectable } from '@nestjs/common';
import type { PictureMeasure } from '../../../events/uploads/uploads.events.js';
import { FILE_STORE, type FileStore } from '../../../platform/file-store/file-store.js';
import { AwakeTimer } from '../../../platform/kernel/awake-time.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { PictureMaker } from '../../../platform/pictures/picture-maker.js';
import { LONGEST_ORIGINAL } from '../../../platform/pictures/picture-task.js';
import { isMeasured } from '../domain/content-type.js';

/** Milliseconds for which an upload waits in line with other pictures. */
const LONGEST_WAIT_MS = 10_000;

/** The one maker of the process: its bounds hold for all features. */
export const pictureMaker = { provide: PictureMaker, useFactory: () => new PictureMaker() };

/** A file that has been received. */
interface ReceivedFile {
  readonly fileId: string;
  readonly size: number;
  readonly contentType: string;
  readonly ownerId: number;
}

/** Measures uploaded pictures, so that messages can say how large a picture is before it is loaded. */
@Injectable()
export class PictureMeasuring {
  constructor(
    @Inject(FILE_STORE) private readonly files: FileStore,
    private readonly maker: PictureMaker,
  ) {}

  /**
   * No upload fails for want of its measure.
   * @returns null if no smaller picture can be made of the file; undefined if that is unknown, or it is no picture by its
   * type
   */
  async measure({ fileId, size, contentType, ownerId }: ReceivedFile): Promise<PictureMeasure | null | undefined> {
    if (!isMeasured(contentType)) return undefined;
    if (size > LONGEST_ORIGINAL) return null;
    const patience = new ImpatientClient(LONGEST_WAIT_MS);
    try {
      const header = await this.maker.measure({
        asker: { account: ownerId, connection: patience },
        open: async () => {
          const file = await this.files.read(fileId);
          if (!file) throw new UnavailableError('the uploaded picture is gone');
          return file.content;
        },
      });
      if (header === 'unknown') return undefined;
      if (header === 'unreadable' || header.isExcessive) return null;
      const { width, height, isAnimated } = header;
      return { width, height, isAnimated };
    } catch {
      return undefined;
    } finally {
      patience.end();
    }
  }
}

/** A client that waits for its turn only so long. */
class ImpatientClient implements WatchedConnection {
  isDisconnected = false;
  private readonly acts: (() => void)[] = [];
  private readonly timer: AwakeTimer;

  constructor(milliseconds: number) {
    this.timer = new AwakeTimer(milliseconds, () => this.end());
  }

  onEnd(act: () => void): void {
    this.acts.push(act);
  }

  end(): void {
    this.timer.clear();
    this.isDisconnected = true;
    for (const act of this.acts.splice(0)) act();
  }
}
