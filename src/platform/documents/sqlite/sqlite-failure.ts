import { writeFileSync } from 'node:fs';
import { DocumentStoreUnavailable, DocumentsUnusable } from '../document-store.js';

/** Ending of the mark beside a file that was found damaged: the next start removes both. */
export const DAMAGED_MARK = '-damaged';

/** Tells whether an error of SQLite, or of a row, means that the file is damaged. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  // SQLite's functions find JSON malformed only in what was stored: what is to be stored comes from JSON.stringify.
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code)) || /malformed JSON/.test(error.message);
}

/** Turns SQLite's errors of the file or the disk into the port's error. Any other error is returned as it is. */
export function asUnavailable(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isDamage(error)) {
    markDamaged(path);
    return damaged(path, error);
  }
  if (/^SQLITE_FULL/.test(code))
    return new DocumentStoreUnavailable(`no space left to write ${path}`, { cause: error });
  if (/^SQLITE_(IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|NOMEM|PERM|AUTH)/.test(code)) {
    return new DocumentStoreUnavailable(`${path} cannot be read or written (${code})`, { cause: error });
  }
  return error;
}

export function damaged(path: string, cause?: unknown): DocumentsUnusable {
  return new DocumentsUnusable(
    `${path} is damaged. Everything in it is derived from the log: delete the file (with its -wal and -shm) and it is rebuilt.`,
    { cause },
  );
}

/** Has the next start remove the file, if nothing has built it anew until then. */
function markDamaged(path: string): void {
  try {
    writeFileSync(path + DAMAGED_MARK, '');
  } catch {
    // On a full disk, or a disk that is read-only, the damage is found again.
  }
}
