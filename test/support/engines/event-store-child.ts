// A process with its own log, to be killed. Reads commands as lines of JSON, and answers each with one line.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Worker } from 'node:worker_threads';
import type { NewEvent } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';

const [directory = ''] = process.argv.slice(2);
const tell = (answer: unknown) => writeSync(1, `${JSON.stringify(answer)}\n`);

let writerThread: Worker | undefined;
process.on('worker', (worker) => {
  writerThread = worker;
});

let store: SqliteEventStore;
try {
  store = await SqliteEventStore.open(directory);
  tell('open');
} catch (error) {
  const { reason = null, message } = error as Error & { readonly reason?: string | null };
  tell({ refused: reason, message });
  process.exit(1);
}

const metadata = { actorId: null, client: 'child', at: 0, correlationId: 'c', causationId: null };
const event = (bytes: number): NewEvent => ({
  id: randomUUID(),
  type: 'Stored',
  version: 1,
  data: { text: 'x'.repeat(bytes) },
  metadata,
});
const describe = ({ name, stored, message }: Error & { readonly stored?: unknown }) => ({ name, stored, message });
const append = (stream: string, one: NewEvent) =>
  store.append(stream, [one], 'any').then(({ revision }) => ({ id: one.id, revision }), describe);

/** A command with its arguments. */
interface Command {
  readonly do: string;
  readonly stream: string;
  readonly count: number;
  readonly bytes: number;
  readonly writers: number;
}

const commands: Readonly<Record<string, (command: Command) => Promise<unknown>>> = {
  append: ({ stream, count, bytes }) => Promise.all(Array.from({ length: count }, () => append(stream, event(bytes)))),

  /** Appends without end, and prints each acknowledged event. */
  storm: ({ writers }) => {
    const write = async (writer: number) => {
      for (;;) tell({ stream: `s-${writer}`, ...(await append(`s-${writer}`, event(300))) });
    };
    return Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  },

  loseWriter: async () => {
    const following = (async () => {
      for await (const _ of store.subscribe({ after: 0, signal: new AbortController().signal }));
    })().catch(describe);
    // Large enough that the thread ends in the middle of it.
    const sent = Promise.all(Array.from({ length: 30 }, () => append('s', event(900_000))));
    await new Promise((resolve) => setImmediate(resolve));
    await writerThread?.terminate();
    return { sent: await sent, later: await append('s', event(1)), subscription: await following };
  },

  ids: async ({ stream }) => (await store.readStream(stream)).map(({ id }) => id),

  close: () => store.close(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const command: Command = JSON.parse(line);
  tell((await commands[command.do]?.(command)) ?? null);
}
