export interface UploadSettings {
  /** Largest size of a file. The register response tells it to clients. */
  readonly maxFileMib: number;
}

/** Nest token. */
export const UPLOAD_SETTINGS = Symbol('UploadSettings');

export const MIB = 1024 * 1024;
