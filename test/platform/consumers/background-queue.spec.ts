import { describe, expect, it } from '@jest/globals';
import type { UsersSubscribed, UsersUnsubscribed } from '../../../src/events/channels/subscriptions.events.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { type ProcessManager, processManager } from '../../../src/platform/consumers/process-manager.js';
import { ProcessManagers } from '../../../src/platform/consumers/process-managers.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { eventually } from '../../support/eventually.js';
import { AppliedByHand } from '../../support/projections/applied-by-hand.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };

/** Work that lasts until the test ends it. */
class Held {
  readonly begun: number[] = [];
  private readonly waiting: (() => void)[] = [];

  until(channelId: number): Promise<void> {
    this.begun.push(channelId);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  done(): void {
    this.waiting.shift()?.();
  }
}

interface World {
  subscribe(channelId: number): Promise<number>;
  leave(channelId: number): Promise<number>;
  start(): Promise<ProcessManagers>;
  readonly held: Held;
  /** The channels that the process manager `quick` handled. */
  readonly seen: number[];
  readonly errors: string[];
}

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (folder) => {
    const [eventStore, documentStore] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
    const keys = await SqliteContentKeys.open(folder);
    const codec = new EventCodec(keys, eventRegistry);
    const runner = new CommandRunner(eventStore, keys, codec);
    const held = new Held();
    const [seen, errors]: [number[], string[]] = [[], []];
    const managers: readonly ProcessManager[] = [
      processManager<UsersUnsubscribed>({
        name: 'slow',
        on: 'UsersUnsubscribed',
        appends: [],
        inBackground: true,
        react: async ({ position, data }) => {
          await held.until(data.channelId);
          if (data.channelId === 13 && held.begun.length === 1) throw new Error('it went wrong');
          return position;
        },
      }),
      processManager<UsersSubscribed>({
        name: 'quick',
        on: 'UsersSubscribed',
        appends: [],
        react: async ({ position, data }) => {
          seen.push(data.channelId);
          return position;
        },
      }),
    ];
    const running: ProcessManagers[] = [];
    const report = async (type: 'UsersSubscribed' | 'UsersUnsubscribed', channelId: number): Promise<number> => {
      const data = { channelId, userIds: [1] };
      return (await runner.report(`subscriptions-${channelId}`, { type, data }, by)).position;
    };
    const start = async (): Promise<ProcessManagers> => {
      const readModels = new AppliedByHand(documentStore);
      const options = { eventStore, documentStore, codec, runner, readModels, managers };
      const started = new ProcessManagers({ ...options, report: (error) => errors.push(String(error)) });
      running.push(started);
      await started.start();
      return started;
    };
    try {
      await work({
        subscribe: (channelId) => report('UsersSubscribed', channelId),
        leave: (channelId) => report('UsersUnsubscribed', channelId),
        start,
        held,
        seen,
        errors,
      });
    } finally {
      await Promise.all([keys.close(), documentStore.close(), eventStore.close()]);
    }
  });

/** Closes the managers while a task runs, and then lets the task end. */
async function end(managers: ProcessManagers, held: Held): Promise<void> {
  const closed = managers.close();
  held.done();
  await closed;
}

describe('the background queue', () => {
  it('delays no other process manager, and can be waited for', () =>
    inWorld(async ({ subscribe, leave, start, held, seen }) => {
      const managers = await start();
      const [left, after] = [await leave(1), await subscribe(2)];
      expect(await managers.waitFor(after)).toBe(after);
      expect(seen).toEqual([2]);
      let isDone = false;
      const done = managers.waitForAll(left).then((position) => {
        isDone = true;
        return position;
      });
      await eventually(() => expect(held.begun).toEqual([1]));
      expect(isDone).toBe(false);
      held.done();
      expect(await done).toBeGreaterThanOrEqual(left);
      await managers.close();
    }));

  it('runs tasks one after the other, and runs a task again after an error', () =>
    inWorld(async ({ leave, start, held, errors }) => {
      const managers = await start();
      await leave(13);
      const last = await leave(2);
      await eventually(() => expect(held.begun).toEqual([13]));
      held.done();
      await eventually(() => expect(held.begun).toEqual([13, 13]));
      expect(errors).toEqual(['Error: it went wrong']);
      held.done();
      await eventually(() => expect(held.begun).toEqual([13, 13, 2]));
      held.done();
      await managers.waitForAll(last);
      await managers.close();
    }));

  it('runs an unfinished task again after a restart, but no finished one', () =>
    inWorld(async ({ subscribe, leave, start, held }) => {
      const first = await start();
      const [left, after] = [await leave(1), await subscribe(2)];
      await first.waitFor(after);
      await eventually(() => expect(held.begun).toEqual([1]));
      await end(first, held);

      const second = await start();
      await eventually(() => expect(held.begun).toEqual([1, 1]));
      held.done();
      await second.waitForAll(left);
      await second.close();

      const third = await start();
      const last = await leave(3);
      await eventually(() => expect(held.begun).toEqual([1, 1, 3]));
      held.done();
      await third.waitForAll(last);
      await third.close();
    }));
});
