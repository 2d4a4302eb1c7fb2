import { readFile } from 'node:fs/promises';
import { types } from 'node:util';

/** Reads a text; null if there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (types.isNativeError(error) && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
