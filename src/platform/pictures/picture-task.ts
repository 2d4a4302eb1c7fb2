export type PictureFormat = 'webp' | 'png';

/** A picture to make. */
export interface PictureTask {
  /** Pixels. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  /**
   * `inside` (default): the size is a bound, and no picture is enlarged. `contain` and `cover`: the picture gets exactly
   * this size, with a transparent border or cut to its middle. The proportions stay.
   */
  readonly framing?: 'inside' | 'contain' | 'cover';
  /** `as given`: a PNG stays one, all else becomes WebP. Default: `webp`. */
  readonly format?: PictureFormat | 'as given';
  /** Whether an animation stays one. */
  readonly animated: boolean;
  /** Whether clients can be sent the original, if it is small enough. */
  readonly mayBeOriginal: boolean;
  /** Milliseconds. */
  readonly deadline: number;
}

/** Reads the header of a picture, and makes none. */
export interface MeasureTask {
  readonly measures: true;
  /** Milliseconds. */
  readonly deadline: number;
}

/** What the header of a picture says. */
export interface PictureHeader {
  /** Pixels of the picture as it is shown: turned as its camera was held. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** Whether it needs too much memory to be made smaller. */
  readonly isExcessive: boolean;
}

type PictureRefusal = 'unreadable' | 'excessive';

export type PictureOutcome =
  | { readonly kind: 'made'; readonly bytes: Buffer }
  /** The original is small enough. */
  | { readonly kind: 'small' }
  /** `unreadable`: it is no picture of a supported format. `excessive`: making it costs too much memory or time. */
  | { readonly kind: PictureRefusal }
  /** The process that makes pictures does not work here. */
  | { readonly kind: 'failed'; readonly reason: string };

/** How the process that makes a picture says how it went. */
export const EXIT_CODES = { made: 0, small: 10, unreadable: 11, excessive: 12 } as const;

export const PICTURE_TYPES = { webp: 'image/webp', png: 'image/png' } as const satisfies Record<PictureFormat, string>;

/** The format of a made picture, by its first bytes. */
export const formatOf = (made: Buffer): PictureFormat => (made.toString('latin1', 1, 4) === 'PNG' ? 'png' : 'webp');

/** Whether a made picture is an animation, by the header of its format. */
export const isAnimation = (made: Buffer): boolean =>
  made.toString('latin1', 12, 16) === 'VP8X' && ((made[20] ?? 0) & 0b10) !== 0;

const MIB = 1024 * 1024;

/** Longest original and longest made picture, in bytes. */
export const LONGEST_ORIGINAL = 64 * MIB;
export const LONGEST_MADE = 4 * MIB;
/** The largest original, in pixels; the frames of an animation count together. */
export const MOST_PIXELS = 64_000_000;
/** Longer animations become still pictures. */
export const MOST_FRAMES = 200;
/**
 * The most bytes of an original that can only be decoded as a whole. The process has up to half as many again, and 70 MiB
 * of its own.
 */
export const MOST_WHOLE = 150 * MIB;
/** The same for the coefficients of a progressive JPEG, which are not copied. */
export const MOST_COEFFICIENTS = 190 * MIB;
/** A process that needs more memory gives up. */
export const MOST_MEMORY = 320 * MIB;
