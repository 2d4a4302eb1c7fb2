// @ts-check
import { randomBytes } from 'node:crypto';
import { Binary } from 'mongodb';
import { newEventId } from '../../../dist/src/kernel/new-event-id.js';

// MongoDB without Annals: its own client, and documents like content keys.

/** @typedef {{ _id: string, key: Binary }} Key */

/** @returns {Key} */
const newKey = () => ({ _id: newEventId(), key: new Binary(randomBytes(32)) });

/** @param {import('../../servers/engines.js').Engines} engines @returns {import('mongodb').Collection<Key>} */
const bareKeys = ({ documents }) => documents.collection('bare');

/** Durable on a majority. @param {import('../../servers/engines.js').Engines} engines */
export async function insertOne(engines) {
  await bareKeys(engines).insertOne(newKey());
}

/** The same in one write. @param {import('../../servers/engines.js').Engines} engines @param {number} count */
export async function insertTogether(engines, count) {
  await bareKeys(engines).insertMany(Array.from({ length: count }, newKey), { ordered: false });
}

/**
 * Tells of each document as another connection's change stream has it, from now on.
 *
 * @param {import('../../servers/engines.js').Engines} engines
 * @param {() => void} onInsert
 * @returns {Promise<() => Promise<void>>} the way to stop
 */
export async function watchBare(engines, onInsert) {
  // The collection must be there to be watched.
  await insertOne(engines);
  const stream = bareKeys(engines).watch([{ $match: { operationType: 'insert' } }], { maxAwaitTimeMS: 100 });
  // From its first answer on, nothing is missed.
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
