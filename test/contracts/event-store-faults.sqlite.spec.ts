import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LogRefused } from '../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../src/platform/log/sqlite/sqlite-event-store.js';
import { idsOf } from '../support/engines/event-store-events.js';
import { EventStoreProcess, withEventStoreProcess } from '../support/engines/event-store-process.js';
import { withScratch } from '../support/scratch.js';

interface Acknowledged {
  readonly stream: string;
  readonly id: string;
  readonly revision: number;
}

const WRITERS = 8;

/** Lets a process append, and kills it after at least the given number of acknowledged events. @returns all of these */
async function stormAndKill(directory: string, atLeast: number): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  await withEventStoreProcess(directory, async (child) => {
    child.tell({ do: 'storm', writers: WRITERS });
    while (acknowledged.length < atLeast) acknowledged.push((await child.answer()) as Acknowledged);
    await child.kill();
    for (let last = await child.answer(); last; last = await child.answer()) acknowledged.push(last as Acknowledged);
  });
  return acknowledged;
}

describe('the log on SQLite under faults', () => {
  it('has every acknowledged event once, at its place, after a SIGKILL during appends', () =>
    withScratch(async (directory) => {
      const acknowledged: Acknowledged[] = [];
      for (const count of [1, 40, 150, 400]) acknowledged.push(...(await stormAndKill(directory, count)));

      const store = await SqliteEventStore.open(directory);
      for (let writer = 0; writer < WRITERS; writer += 1) {
        const stream = `s-${writer}`;
        const events = await store.readStream(stream);
        expect(events.map(({ revision }) => revision)).toEqual([...events.keys()]);
        expect(new Set(idsOf(events)).size).toBe(events.length);
        for (const { id, revision } of acknowledged.filter((one) => one.stream === stream)) {
          expect(events[revision]?.id).toBe(id);
        }
      }
      await store.close();
    }));

  it('can be opened by another writer only after its own was killed', () =>
    withScratch(async (directory) => {
      await withEventStoreProcess(directory, async () => {
        const failure = await SqliteEventStore.open(directory).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(LogRefused);
        expect(failure).toMatchObject({ reason: 'locked', message: expect.stringContaining('Stop that one first') });
      });
      const store = await SqliteEventStore.open(directory);

      const second = new EventStoreProcess(directory);
      expect(await second.answer()).toMatchObject({ refused: 'locked' });
      await second.kill();
      await store.close();
    }));

  it('delivers the events of the writer to a follower in another process', () =>
    withScratch((directory) =>
      withEventStoreProcess(directory, async (child) => {
        const reader = await SqliteEventStore.openReadOnly(directory);
        const stop = new AbortController();
        let seen = 0;
        for await (const { events } of reader.subscribe({ after: 0, signal: stop.signal })) {
          seen += events.length;
          if (seen >= 30) stop.abort();
          else await child.ask({ do: 'append', stream: 's', count: 10, bytes: 10 });
        }
        expect(seen).toBe(30);
        await reader.close();
      }),
    ));

  it('refuses appends while the disk is full, loses none before, and works again when there is space', () =>
    withScratch((directory) =>
      withEventStoreProcess(directory, async (child) => {
        const append = async (count: number, bytes: number) =>
          (await child.ask({ do: 'append', stream: 's', count, bytes })) as {
            id?: string;
            stored?: string;
            name?: string;
          }[];
        const first = await append(5, 1000);
        child.limitFiles(statSync(join(directory, 'log.sqlite-wal')).size + 20_000);

        const refused = [...(await append(8, 50_000)), ...(await append(3, 50_000))];
        for (const outcome of refused) expect(outcome).toMatchObject({ name: 'EventStoreUnavailable', stored: 'no' });

        child.limitFiles(undefined);
        const later = await append(4, 50_000);
        const stored = [...first, ...later].map(({ id }) => id);
        expect(stored).not.toContain(undefined);
        expect(await child.ask({ do: 'ids', stream: 's' })).toEqual(stored);

        await child.kill();
        const store = await SqliteEventStore.open(directory);
        expect(idsOf(await store.readStream('s'))).toEqual(stored);
        await store.close();
      }),
    ));

  it('reports the outcome of each append as far as it is known if the writer ends, and ends subscriptions', () =>
    withScratch((directory) =>
      withEventStoreProcess(directory, async (child) => {
        await child.ask({ do: 'append', stream: 's', count: 3, bytes: 10 });
        const { sent, later, subscription } = (await child.ask({ do: 'loseWriter' })) as {
          sent: unknown[];
          later: unknown;
          subscription: unknown;
        };
        for (const outcome of sent) expect(outcome).toMatchObject({ name: 'EventStoreUnavailable', stored: 'unknown' });
        expect(later).toMatchObject({ name: 'EventStoreUnavailable', stored: 'no' });
        expect(later).toMatchObject({ message: expect.stringContaining('restart the server') });
        expect(subscription).toMatchObject({ name: 'EventStoreUnavailable' });
        await child.ask({ do: 'close' });
      }),
    ));
});
