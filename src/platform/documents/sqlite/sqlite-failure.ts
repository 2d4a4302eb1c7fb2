import { DocumentStoreUnavailable, DocumentsUnusable } from '../document-store.js';

/** Turns SQLite's errors of the file or the disk into the port's error. Any other error is returned as it is. */
export function asUnavailable(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(path, error);
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
