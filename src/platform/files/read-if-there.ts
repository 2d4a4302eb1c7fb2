import { readFile } from 'node:fs/promises';
import { isMissing } from './is-missing.js';

/** Reads a text; null if there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
