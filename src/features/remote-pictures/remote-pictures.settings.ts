import { join } from 'node:path';
import { featureSettings, THAT_ANSWER_CLIENTS, trueOrFalse, wholeNumber } from '../../platform/settings/setting.js';

export interface RemotePictureSettings {
  /** Whether the server fetches pictures from other sites at all. */
  readonly areFetched: boolean;
  /** Folder of the cache. */
  readonly folder: string;
  readonly maxCacheBytes: number;
}

/** Nest token. */
export const REMOTE_PICTURE_SETTINGS = Symbol('RemotePictureSettings');

/** What one process fetches at most. */
export interface FetchBounds {
  readonly maxBytes: number;
  /** Milliseconds for one picture. */
  readonly timeout: number;
  readonly atOnce: number;
  readonly atOnceForOneAccount: number;
  readonly waiting: number;
  /** Milliseconds. */
  readonly longestWait: number;
  /** Pictures a minute. */
  readonly perAccount: number;
  readonly perHost: number;
  /** Milliseconds for which a failure is the answer to everybody. */
  readonly failuresRemembered: number;
}

export const FETCH_BOUNDS: FetchBounds = {
  maxBytes: 8 * 1024 * 1024,
  timeout: 10_000,
  atOnce: 6,
  atOnceForOneAccount: 3,
  waiting: 200,
  longestWait: 30_000,
  perAccount: 60,
  perHost: 120,
  failuresRemembered: 60_000,
};

/** Milliseconds: 7 days. */
export const OLDEST_CACHED = 7 * 86_400_000;

export const remotePictureSettings = featureSettings(
  {
    remotePictures: trueOrFalse({
      environment: 'ANNALS_REMOTE_PICTURES',
      about: 'true: the server fetches pictures of other sites that messages link to, and serves them to readers',
      default: false,
      commands: THAT_ANSWER_CLIENTS,
    }),
    remotePicturesCacheMib: wholeNumber({
      environment: 'ANNALS_REMOTE_PICTURES_CACHE_MIB',
      about: 'size of the pictures of other sites that a process has on disk at most, in MiB',
      range: [32, 1_048_576],
      default: 512,
      commands: THAT_ANSWER_CLIENTS,
    }),
  },
  ({ remotePictures, remotePicturesCacheMib, dataDirectory }) => [
    [
      REMOTE_PICTURE_SETTINGS,
      {
        areFetched: remotePictures,
        folder: join(dataDirectory, 'remote-pictures'),
        maxCacheBytes: remotePicturesCacheMib * 1024 * 1024,
      } satisfies RemotePictureSettings,
    ],
  ],
);
