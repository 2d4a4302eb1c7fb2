import { describe, expect, it } from '@jest/globals';
import type { UsersSubscribed, UsersUnsubscribed } from '../../../src/events/channels/subscriptions.events.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { CONSEQUENCES_DATABASE } from '../../../src/platform/commands/consequences.js';
import { type PassedOverReport, passedOverIn } from '../../../src/platform/consumers/passed-over.js';
import { type ProcessManager, processManager } from '../../../src/platform/consumers/process-manager.js';
import { ProcessManagers, type ProcessManagersOptions } from '../../../src/platform/consumers/process-managers.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { eventually } from '../../support/eventually.js';
import { AppliedByHand } from '../../support/projections/applied-by-hand.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };

interface World {
  /** Thrown for an event that concerns the channel. */
  readonly failures: Map<number, () => Error>;
  /** Name of the manager, and channel. */
  readonly handled: string[];
  readonly said: string[];
  subscribe(channelId: number): Promise<Position>;
  leave(channelId: number): Promise<Position>;
  start(shared?: ProcessManagersOptions['shared']): Promise<ProcessManagers>;
  /** Lets another process take over. */
  takeOver(): Promise<void>;
  listed(): Promise<PassedOverReport>;
  checkpoint(): Promise<Position | null>;
}

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (folder) => {
    const [eventStore, documentStore] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
    const keys = await SqliteContentKeys.open(folder);
    const codec = new EventCodec(keys, eventRegistry);
    const runner = new CommandRunner(eventStore, keys, codec);
    const failures = new Map<number, () => Error>();
    const [handled, said]: [string[], string[]] = [[], []];
    const handle = (name: string, channelId: number): void => {
      const failure = failures.get(channelId);
      if (failure && name !== 'second') throw failure();
      handled.push(`${name} ${channelId}`);
    };
    const atOnce = (name: string): ProcessManager =>
      processManager<UsersSubscribed>({
        name,
        on: 'UsersSubscribed',
        appends: [],
        react: async ({ position, data }) => {
          handle(name, data.channelId);
          return position;
        },
      });
    const inBackground = processManager<UsersUnsubscribed>({
      name: 'background',
      on: 'UsersUnsubscribed',
      appends: [],
      inBackground: true,
      react: async ({ position, data }) => {
        handle('background', data.channelId);
        return position;
      },
    });
    const report = async (type: 'UsersSubscribed' | 'UsersUnsubscribed', channelId: number): Promise<Position> => {
      const data = { channelId, userIds: [1] };
      return (await runner.report(`subscriptions-${channelId}`, { type, data }, by)).position;
    };
    const managers = [atOnce('first'), atOnce('second'), inBackground];
    const readModels = new AppliedByHand(documentStore);
    const options = { eventStore, documentStore, codec, runner, readModels, managers };
    try {
      await work({
        failures,
        handled,
        said,
        subscribe: (channelId) => report('UsersSubscribed', channelId),
        leave: (channelId) => report('UsersUnsubscribed', channelId),
        takeOver: async () => new Fence(2).close(await documentStore.database(CONSEQUENCES_DATABASE)),
        start: async (shared) => {
          const turns = shared ? { shared } : {};
          const started = new ProcessManagers({
            ...options,
            ...turns,
            report: () => {},
            say: (line) => said.push(line),
          });
          await started.start();
          return started;
        },
        listed: () => passedOverIn(documentStore, [CONSEQUENCES_DATABASE], 20),
        checkpoint: async () => (await documentStore.database(CONSEQUENCES_DATABASE)).checkpoint(),
      });
    } finally {
      await Promise.all([keys.close(), documentStore.close(), eventStore.close()]);
    }
  });

const broken = () => new RangeError('it goes wrong each time');

describe('process managers', () => {
  it('pass over an event that one of them cannot handle, and handle it at a later start', () =>
    inWorld(async ({ failures, handled, said, subscribe, start, listed, checkpoint }) => {
      failures.set(13, broken);
      const managers = await start();
      const [bad, after] = [await subscribe(13), await subscribe(2)];
      expect(await managers.waitFor(after)).toBe(after);
      expect(await managers.waitForAll(after)).toBe(after);
      expect(handled).toEqual(['second 13', 'first 2', 'second 2']);
      const entry = { follower: 'first', type: 'UsersSubscribed', position: bad, error: 'RangeError' };
      expect(await listed()).toMatchObject({ count: 1, newest: [entry] });
      expect(await checkpoint()).toBe(after);
      await managers.close();

      const still = await start();
      await eventually(() => expect(said).toHaveLength(2));
      expect(await listed()).toMatchObject({ count: 1, newest: [entry] });
      await still.close();

      failures.clear();
      const again = await start();
      await eventually(() => expect(said).toHaveLength(3));
      expect(await listed()).toEqual({ count: 0, newest: [] });
      await again.close();
      expect(handled).toEqual(['second 13', 'first 2', 'second 2', 'first 13']);
      expect(said).toEqual([
        expect.stringMatching(/^first passes over UsersSubscribed .*: RangeError: it goes wrong each time$/),
        expect.stringMatching(/^first passes over UsersSubscribed /),
        expect.stringMatching(/^first has handled UsersSubscribed /),
      ]);
    }));

  it('do the same in the background', () =>
    inWorld(async ({ failures, handled, leave, start, listed, checkpoint }) => {
      failures.set(13, broken);
      const managers = await start();
      await leave(13);
      const after = await leave(2);
      expect(await managers.waitForAll(after)).toBe(after);
      expect(handled).toEqual(['background 2']);
      expect(await listed()).toMatchObject({ count: 1, newest: [{ follower: 'background' }] });
      await eventually(async () => expect(await checkpoint()).toBe(after));
      await managers.close();

      failures.clear();
      const again = await start();
      await eventually(async () => expect(await listed()).toEqual({ count: 0, newest: [] }));
      expect(handled).toEqual(['background 2', 'background 13']);
      await again.close();
    }));

  it('wait for what is unavailable, and pass nothing over', () =>
    inWorld(async ({ failures, handled, said, subscribe, leave, start, listed }) => {
      for (const channelId of [13, 14]) {
        let refusals = 6;
        failures.set(channelId, () => {
          refusals--;
          if (refusals === 0) failures.delete(channelId);
          return new Error('it failed', { cause: new UnavailableError('it is away') });
        });
      }
      const managers = await start();
      await subscribe(13);
      await leave(14);
      await eventually(() => expect(handled).toEqual(['first 13', 'second 13', 'background 14']));
      expect(await listed()).toEqual({ count: 0, newest: [] });
      expect(said).toEqual([]);
      await managers.close();
    }));

  it('pass nothing over once another process has taken over', () =>
    inWorld(async ({ failures, said, leave, start, takeOver, listed }) => {
      const fenced: string[] = [];
      const shared = { fence: new Fence(1), onFenced: () => void fenced.push('first'), onAdvanced: () => {} };
      const managers = await start(shared);
      await leave(1);
      failures.set(13, broken);
      await takeOver();
      await leave(13);
      await eventually(() => expect(fenced).not.toEqual([]));
      expect(await listed()).toEqual({ count: 0, newest: [] });
      expect(said).toEqual([]);
      await managers.close();
    }));
});
