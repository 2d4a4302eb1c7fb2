import { cp } from 'node:fs/promises';

/**
 * Copies a folder of closed databases, each of which is one file. Files beside it are empty, and may disappear during the copy:
 * SQLite removes them once the garbage collector has found the last statement.
 */
export const copyClosed = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, filter: (path) => !/-(?:wal|shm)$/.test(path) });
