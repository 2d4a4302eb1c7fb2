import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLocked } from '../src/platform/sqlite/open-locked.js';

const LOCK = 'log.lock';

/**
 * Empties a data directory. The lock's file stays: a server that starts meanwhile must meet the same lock.
 *
 * @throws WriterRefused if a server uses the directory; nothing is removed
 */
export async function emptyDataDirectory(directory: string): Promise<void> {
  const unlock = openLocked(join(directory, LOCK), 'log', (free) => free);
  try {
    const names = (await readdir(directory)).filter((name) => name !== LOCK);
    await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
  } finally {
    unlock();
  }
}
