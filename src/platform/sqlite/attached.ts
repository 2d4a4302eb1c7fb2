import { pathToFileURL } from 'node:url';
import type { SqliteConnection } from './driver.js';

/** Name under which a statement finds the other file's tables. */
export const ATTACHED = 'attached';

/** Attaches another file to a connection, for reading alone, while `work` runs. */
export async function withAttached<T>(
  connection: SqliteConnection,
  path: string,
  work: () => T | Promise<T>,
): Promise<T> {
  connection.exec(`ATTACH '${`${pathToFileURL(path).href}?mode=ro`.replaceAll("'", "''")}' AS ${ATTACHED}`);
  try {
    return await work();
  } finally {
    connection.exec(`DETACH ${ATTACHED}`);
  }
}
