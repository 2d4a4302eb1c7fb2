import { randomBytes } from 'node:crypto';
import { Binary, type Collection } from 'mongodb';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import type { Engines } from '../../servers/engines.js';

// MongoDB without Annals: its own client, and documents like content keys.

type Key = { _id: string; key: Binary };

const newKey = (): Key => ({ _id: newEventId(), key: new Binary(randomBytes(32)) });

const bareKeys = ({ documents }: Engines): Collection<Key> => documents.collection('bare');

/** Inserts one key, durable on a majority. */
export async function insertOne(engines: Engines) {
  await bareKeys(engines).insertOne(newKey());
}

/** Inserts keys in one write, durable on a majority. */
export async function insertTogether(engines: Engines, count: number) {
  await bareKeys(engines).insertMany(Array.from({ length: count }, newKey), { ordered: false });
}

/**
 * Calls back for each document that another connection's change stream brings from now on.
 *
 * @returns a function that stops it
 */
export async function watchBare(engines: Engines, onInsert: () => void): Promise<() => Promise<void>> {
  // A collection can be watched only if it exists.
  await insertOne(engines);
  const stream = bareKeys(engines).watch([{ $match: { operationType: 'insert' } }], { maxAwaitTimeMS: 100 });
  // Nothing is missed after the stream's first answer.
  await stream.tryNext();
  let isStopping = false;
  const reading = (async () => {
    while (!isStopping) if ((await stream.tryNext()) !== null) onInsert();
  })();
  return async () => {
    isStopping = true;
    await reading;
    await stream.close();
  };
}
