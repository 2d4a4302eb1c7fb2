import type { FindCursor } from 'mongodb';
import type { MongoConnection } from './mongo-connection.js';

/** Everything that a cursor finds; each batch of the server's is a call with a time of its own. */
export async function readAll<T>(connection: MongoConnection, cursor: FindCursor<T>): Promise<T[]> {
  const found: T[] = [];
  try {
    while (await connection.call(() => cursor.hasNext())) {
      for (const document of cursor.readBufferedDocuments()) found.push(document);
    }
    return found;
  } finally {
    // It has been read to its end, or the server forgets it in time.
    cursor.close().catch(() => undefined);
  }
}
