// Appends to EventStoreDB until the input ends, then closes the store.
// Arguments: URL STREAM_PREFIX STREAM
// Prints a line of JSON for each append. An error outside of a promise ends the process.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { EventStoreDbEventStore } from '../../../src/platform/log/eventstoredb/eventstoredb-event-store.js';

const [url = '', streamPrefix = '', stream = ''] = process.argv.slice(2);
const store = await EventStoreDbEventStore.open({ url, streamPrefix, timings: { append: 60_000, gate: 30_000 } });
const tell = (line: unknown) => writeSync(1, `${JSON.stringify(line)}\n`);
const metadata = { actorId: null, client: 'appender', at: 0, correlationId: 'c', causationId: null };
// Large enough that writes wait for the connection.
const data = { text: 'x'.repeat(30_000) };

let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
tell('open');
await Promise.all(
  Array.from({ length: 24 }, async () => {
    while (!isOver) {
      const id = randomUUID();
      const outcome = await store.append(stream, [{ id, type: 'Added', version: 1, data, metadata }], 'any').then(
        ({ revision, position }) => ({ revision, position }),
        ({ name, stored, message }) => ({ name, stored, message }),
      );
      tell({ id, ...outcome });
    }
  }),
);
await store.close();
