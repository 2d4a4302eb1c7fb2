import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { subscriptionsIn } from '../../../src/features/channels/commands/channels.handlers.js';
import { decideSubscribeUsers, SubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { MultiStreamCommand } from '../../../src/platform/commands/multi-stream-command.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { refuse } from '../../../src/platform/kernel/deciding.js';
import { PartlyDoneError } from '../../../src/platform/kernel/outcome-errors.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { type EventStore, EventStoreUnavailable } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };

interface World {
  readonly store: EventStore;
  /** Subscribes user 1 to each of the channels. The log is unavailable after the given number of appends. */
  readonly subscribe: (channelIds: readonly number[], appends?: number) => Promise<void>;
}

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const keys = await SqliteContentKeys.open(directory);
    const subscribe: World['subscribe'] = async (channelIds, appends = Number.MAX_SAFE_INTEGER) => {
      let left = appends;
      const goesAway: EventStore = {
        idMemory: 'for ever',
        knownHead: null,
        append: async (...append) => {
          if (left-- <= 0) throw new EventStoreUnavailable('away', 'no');
          return store.append(...append);
        },
        readStream: (stream, options) => store.readStream(stream, options),
        readAll: (options) => store.readAll(options),
        subscribe: (options) => store.subscribe(options),
        head: () => store.head(),
        close: () => store.close(),
      };
      const runner = new CommandRunner(goesAway, keys, new EventCodec(keys, eventRegistry));
      const parts = new MultiStreamCommand();
      for (const channelId of channelIds) {
        const command = new SubscribeUsers({ channelId, userIds: [1], by, color: null });
        const on = { ...subscriptionsIn(command), decide: decideSubscribeUsers, context: undefined };
        await parts.do(
          () => runner.decide({ ...on, command, by }),
          ({ events }) => events.length > 0,
        );
      }
    };
    try {
      await work({ store, subscribe });
    } finally {
      await keys.close();
      await store.close();
    }
  });

describe('a command on several streams', () => {
  it('that is interrupted fails as partly done, and a repeat does the rest', () =>
    inWorld(async ({ store, subscribe }) => {
      const interrupted = subscribe([1, 2, 3], 1);
      await expect(interrupted).rejects.toBeInstanceOf(PartlyDoneError);
      await expect(interrupted).rejects.toMatchObject({ cause: { stored: 'no' } });
      await subscribe([1, 2, 3]);
      const { events } = await store.readAll({ after: 0, limit: 10 });
      expect(events.map(({ stream }) => stream)).toEqual(['subscriptions-1', 'subscriptions-2', 'subscriptions-3']);
    }));

  it('that stored nothing fails as unavailable', () =>
    inWorld(async ({ subscribe }) => {
      await expect(subscribe([1, 2], 0)).rejects.toBeInstanceOf(EventStoreUnavailable);
      await subscribe([1]);
      // The subscription to channel 1 was stored by an earlier command, not by this one.
      await expect(subscribe([1, 2], 0)).rejects.toBeInstanceOf(EventStoreUnavailable);
    }));

  it('passes on a refusal after a part is done', async () => {
    const parts = new MultiStreamCommand();
    await parts.do(
      async () => 1,
      () => true,
    );
    const refused = parts.do(
      async () => refuse('NOT_AUTHORIZED'),
      () => true,
    );
    await expect(refused).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
  });
});
