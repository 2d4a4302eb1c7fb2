import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import type { ReadStreamOptions } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';

export interface NamedKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Reads the content keys of a stream's events, beside the server. */
export async function keysIn(directory: string, stream: string, part?: ReadStreamOptions): Promise<NamedKey[]> {
  const log = await SqliteEventStore.openReadOnly(directory);
  const keys = await SqliteContentKeys.openReadOnly(directory);
  try {
    const events = await log.readStream(stream, part);
    const found = await keys.getMany(events.map(({ id }) => id));
    return [...found].map(([id, key]) => ({ id, bytes: Buffer.from(key) }));
  } finally {
    await keys.close();
    await log.close();
  }
}

export async function keyOfMessage(directory: string, messageId: number): Promise<NamedKey> {
  const [key] = await keysIn(directory, 'messages', { from: messageId - 1, limit: 1 });
  if (!key) throw new Error('the message has no key');
  return key;
}
