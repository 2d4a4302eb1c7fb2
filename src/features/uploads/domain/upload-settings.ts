export interface UploadSettings {
  /** Largest size of a file, in MiB. Clients learn it from the register response. */
  readonly maxFileMib: number;
}

/** Nest token. */
export const UPLOAD_SETTINGS = Symbol('UploadSettings');

export const MIB = 1024 * 1024;

/** The largest file that an emoji, an avatar, an icon or a logo is made of. */
export const LARGEST_PICTURE_MIB = 5;
