export interface UploadSettings {
  /** Largest size of a file, in MiB. Clients learn it from the register response. */
  readonly maxFileMib: number;
}

/** Nest token. */
export const UPLOAD_SETTINGS = Symbol('UploadSettings');

export const MIB = 1024 * 1024;
