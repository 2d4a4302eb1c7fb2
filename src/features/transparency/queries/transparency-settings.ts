/** Nest token. */
export const TRANSPARENCY_SETTINGS = Symbol('TransparencySettings');

export interface TransparencySettings {
  /** Whether checkpoints and tiles are answered without a login. */
  readonly isPublished: boolean;
}
