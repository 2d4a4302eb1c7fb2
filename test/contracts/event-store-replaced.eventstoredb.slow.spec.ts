import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LogReplaced, type NewEvent } from '../../src/platform/log/event-store.js';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { newEvent } from '../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';

describe('a server that restarts with an older log', () => {
  it('is told apart from one with the same log, and a process that knows the later log appends nothing', async () => {
    const server = await EventStoreDbServer.start();
    const older = await mkdtemp(join(tmpdir(), 'annals-older-'));
    const newer = await mkdtemp(join(tmpdir(), 'annals-newer-'));
    const opened = () => EventStoreDbEventStore.open({ url: server.url, streamPrefix: 'r-', timings: { gate: 1000 } });
    const store = await opened();
    /** A store that was just opened, or whose server was just restarted, may not be ready within its time limit. */
    const append = (event: NewEvent) => eventually(() => store.append('users', [event], 'any'));
    try {
      await append(newEvent('Added'));
      await server.restart((folder) => cp(folder, older, { recursive: true }));
      const kept = newEvent('Added');
      await append(kept);

      await server.restart(async (folder) => {
        await cp(folder, newer, { recursive: true });
        await replace(folder, older);
      });
      const told: unknown[] = [];
      await eventually(async () => {
        told.push(await store.head().catch((error: unknown) => error));
        expect(told.at(-1)).toBeInstanceOf(LogReplaced);
      });
      // The end of the older log was never returned as the head.
      expect(told.filter((answer) => typeof answer === 'number')).toEqual([]);
      const refused = store.append('users', [newEvent('Added')], 'any');
      await expect(refused).rejects.toMatchObject({ name: 'EventStoreUnavailable', stored: 'no' });

      await server.restart((folder) => replace(folder, newer));
      const after = newEvent('Added');
      await append(after);
      expect((await store.readStream('users')).slice(1)).toMatchObject([{ id: kept.id }, { id: after.id }]);
    } finally {
      await store.close();
      await server.stop();
      for (const folder of [older, newer]) await rm(folder, { recursive: true, force: true });
    }
  });
});

async function replace(folder: string, by: string): Promise<void> {
  await rm(folder, { recursive: true });
  await cp(by, folder, { recursive: true });
}
