import type { FindCursor } from 'mongodb';
import type { MongoConnection } from './mongo-connection.js';

/** Reads a cursor to its end. Each batch of the server is a call with a timeout of its own. */
export async function readAll<T>(connection: MongoConnection, cursor: FindCursor<T>): Promise<T[]> {
  const found: T[] = [];
  try {
    while (await connection.call(() => cursor.hasNext())) {
      for (const document of cursor.readBufferedDocuments()) found.push(document);
    }
    return found;
  } finally {
    // An unfinished cursor is forgotten by the server in time.
    cursor.close().catch(() => undefined);
  }
}
