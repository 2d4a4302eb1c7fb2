import { types } from 'node:util';

/** Tells whether an error says that there is no such file. */
export const isMissing = (error: unknown): boolean =>
  types.isNativeError(error) && 'code' in error && error.code === 'ENOENT';
