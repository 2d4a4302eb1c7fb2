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

const STILL: ThumbnailFormat = { name: '840x560.webp', ...LARGE, animated: false };

/** Gives animations as such, and still pictures like `STILL`. */
export const ANIMATED: ThumbnailFormat = { name: '840x560-anim.webp', ...LARGE, animated: true };

export const THUMBNAIL_FORMATS: readonly ThumbnailFormat[] = [STILL, ANIMATED];

export const thumbnailFormat = (name: string): ThumbnailFormat | undefined =>
  THUMBNAIL_FORMATS.find((format) => format.name === name);

/** The name in the file store. */
export const variantOf = ({ name, format }: ThumbnailFormat): string => name.slice(0, -`.${format}`.length);
