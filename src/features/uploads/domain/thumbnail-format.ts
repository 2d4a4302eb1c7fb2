import { SHOWN_FORMAT } from '../../markdown/uploaded-files.js';

/** A form of smaller pictures, as the register response describes it (`server_thumbnail_formats`). */
export interface ThumbnailFormat {
  /** The last part of its URLs. */
  readonly name: string;
  readonly max_width: number;
  readonly max_height: number;
  readonly format: 'webp';
  readonly animated: boolean;
}

const LARGE = { max_width: 840, max_height: 560, format: 'webp' } as const;

const STILL: ThumbnailFormat = { name: SHOWN_FORMAT, ...LARGE, animated: false };

/** Gives animations as such, and still pictures like `STILL`. */
export const ANIMATED: ThumbnailFormat = { name: '840x560-anim.webp', ...LARGE, animated: true };

export const THUMBNAIL_FORMATS: readonly ThumbnailFormat[] = [STILL, ANIMATED];

/**
 * The form that is nearest to the named one: clients may know other forms than today's.
 * @returns undefined if the name is of no form
 */
export function thumbnailFormat(name: string): ThumbnailFormat | undefined {
  const [, width, height, anim] = /^(\d{1,5})x(\d{1,5})(-anim)?\.[a-z]{3,5}$/.exec(name) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const distance = (format: ThumbnailFormat): number =>
    Math.abs(format.max_width - Number(width)) + Math.abs(format.max_height - Number(height));
  const [nearest] = THUMBNAIL_FORMATS.filter(({ animated }) => animated === (anim !== undefined)).sort(
    (a, b) => distance(a) - distance(b),
  );
  return nearest;
}

/** The name in the file store. */
export const variantOf = ({ name, format }: ThumbnailFormat): string => name.slice(0, -`.${format}`.length);
