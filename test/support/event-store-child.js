// A process with a log of its own to be killed in. Takes commands as lines of JSON, answers each with one line.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SqliteEventStore } from '../../dist/src/event-store/sqlite/sqlite-event-store.js';

const [directory] = process.argv.slice(2);
const tell = (answer) => writeSync(1, `${JSON.stringify(answer)}\n`);

let writerThread;
process.on('worker', (worker) => {
  writerThread = worker;
});

let store;
try {
  store = await SqliteEventStore.open(directory);
  tell('open');
} catch (error) {
  tell({ refused: error.reason ?? null, message: error.message });
  process.exit(1);
}

const metadata = { actorId: null, client: 'child', at: 0, correlationId: 'c', causationId: null };
const event = (bytes) => ({
  id: randomUUID(),
  type: 'Stored',
  version: 1,
  data: { text: 'x'.repeat(bytes) },
  metadata,
});
const describe = ({ name, stored, message }) => ({ name, stored, message });
const append = (stream, one) =>
  store.append(stream, [one], 'any').then(({ revision }) => ({ id: one.id, revision }), describe);

const commands = {
  append: ({ stream, count, bytes }) => Promise.all(Array.from({ length: count }, () => append(stream, event(bytes)))),

  /** Appends without end, and tells of each event once it is acknowledged. */
  storm: ({ writers }) => {
    const write = async (writer) => {
      for (;;) tell({ stream: `s-${writer}`, ...(await append(`s-${writer}`, event(300))) });
    };
    return Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  },

  loseWriter: async () => {
    const following = (async () => {
      for await (const _ of store.subscribe({ after: 0, signal: new AbortController().signal }));
    })().catch(describe);
    // Large enough to be in the middle of it when the thread ends.
    const sent = Promise.all(Array.from({ length: 30 }, () => append('s', event(900_000))));
    await new Promise((resolve) => setImmediate(resolve));
    await writerThread.terminate();
    return { sent: await sent, later: await append('s', event(1)), subscription: await following };
  },

  ids: async ({ stream }) => (await store.readStream(stream)).map(({ id }) => id),

  close: () => store.close(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  tell((await commands[command.do](command)) ?? null);
}
