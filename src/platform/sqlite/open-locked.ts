import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExclusiveLock } from './exclusive-lock.js';
import { WriterRefused } from './writer/writer-protocol.js';

/**
 * Takes a lock, then opens something that only one process may have open. Creates a missing directory.
 *
 * @param path the lock's file
 * @param open gets the function that frees the lock
 * @throws WriterRefused `locked`, and any error of `open`
 */
export function openLocked<T>(path: string, what: string, open: (unlock: () => void) => T): T {
  mkdirSync(dirname(path), { recursive: true });
  const lock = ExclusiveLock.acquire(path);
  if (!lock) {
    throw new WriterRefused(
      'locked',
      `The ${what} in ${dirname(path)} is in use by another Annals server. Stop that one first, or give this one a ` +
        'data directory of its own (ANNALS_DATA_DIR).',
    );
  }
  try {
    return open(() => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}
