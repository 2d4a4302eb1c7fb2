import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FileCache } from '../../../platform/file-cache/file-cache.js';
import { HOUR_MS } from '../../../platform/kernel/durations.js';
import { PeriodicTask } from '../../../platform/kernel/periodic-task.js';
import { OutgoingRequests } from '../../../platform/outgoing/outgoing-requests.js';
import { OLDEST_CACHED, REMOTE_PICTURE_SETTINGS, type RemotePictureSettings } from '../remote-pictures.settings.js';
import { RemoteOriginals } from './remote-originals.js';

export const remotePictureCache = {
  provide: FileCache,
  inject: [REMOTE_PICTURE_SETTINGS],
  useFactory: ({ folder, maxCacheBytes }: RemotePictureSettings) =>
    new FileCache({ folder, maxBytes: maxCacheBytes, maxAge: OLDEST_CACHED }),
};

export const remoteOriginals = {
  provide: RemoteOriginals,
  inject: [OutgoingRequests, FileCache],
  useFactory: (requests: OutgoingRequests, cache: FileCache) => new RemoteOriginals(requests, cache),
};

/** Removes old pictures from the cache, also after the setting was turned off. */
@Injectable()
export class RemotePictureTidier implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Pictures');
  private readonly tidying = new PeriodicTask({ every: HOUR_MS, firstAfter: 0, ref: false, work: () => this.tidy() });

  constructor(private readonly cache: FileCache) {}

  onApplicationBootstrap(): void {
    this.tidying.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.tidying.stop();
  }

  private async tidy(): Promise<void> {
    await this.cache.tidy().catch((error: unknown) => {
      this.log.warn(`old pictures of other sites cannot be removed: ${String(error)}`);
    });
  }
}
