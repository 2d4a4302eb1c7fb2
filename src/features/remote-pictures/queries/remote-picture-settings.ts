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
