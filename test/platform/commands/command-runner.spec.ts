import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { channels } from '../../../src/features/channels/domain/channels.state.js';
import { CreateChannel, decideCreateChannel } from '../../../src/features/channels/domain/create-channel.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import { derivedId } from '../../../src/platform/kernel/ids.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { type EventStore, EventStoreUnavailable, RevisionConflict } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { creationFacts } from '../../support/events/channels.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const context = creationFacts();
const create = (name: string) =>
  new CreateChannel({
    channel: { name, description: '', inviteOnly: false, historyPublicToSubscribers: true, subscriberIds: [] },
    creatorId: 1,
    by,
  });

interface World {
  readonly store: EventStore;
  /** The runner of another process, with states in memory of its own. */
  runner(): CommandRunner;
}

const inWorld = (work: (world: World) => Promise<void>): Promise<void> =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const keys = await SqliteContentKeys.open(directory);
    const codec = new EventCodec(keys, eventRegistry);
    try {
      await work({ store, runner: () => new CommandRunner(store, keys, codec) });
    } finally {
      await keys.close();
      await store.close();
    }
  });

const createWith = (runner: CommandRunner, name: string, ids?: (index: number) => string) =>
  runner.decide({
    stream: 'channels',
    decider: channels,
    expects: 'any',
    decide: decideCreateChannel,
    command: create(name),
    context,
    by,
    ...(ids ? { cause: { eventId: 'cause', position: START, ids } } : {}),
  });

describe('the command runner', () => {
  it('appends the decided events with their actor', () =>
    inWorld(async ({ store, runner }) => {
      const { events, position } = await createWith(runner(), 'design');
      const [stored] = await store.readStream('channels');
      expect(stored).toMatchObject({
        type: 'ChannelCreated',
        version: 3,
        data: events[0]?.data,
        position,
        metadata: { actorId: 1, client: 'test', correlationId: 'c', causationId: null },
      });
    }));

  it('decides on a state with the events that other processes appended', () =>
    inWorld(async ({ store, runner }) => {
      const [one, other] = [runner(), runner()];
      await createWith(one, 'first');
      await createWith(other, 'second');
      await createWith(one, 'third');
      const stored = await store.readStream('channels');
      expect(stored.map(({ data }) => [data.channelId, data.name])).toEqual([
        [1, 'first'],
        [2, 'second'],
        [3, 'third'],
      ]);
    }));

  it('does not refuse on a state that is out of date', () =>
    inWorld(async ({ runner }) => {
      const [one, other] = [runner(), runner()];
      await createWith(one, 'first');
      await createWith(other, 'second');
      await expect(createWith(one, 'second')).rejects.toEqual(
        new DomainError('CHANNEL_ALREADY_EXISTS', { name: 'second' }),
      );
      const { events } = await createWith(other, 'third');
      expect(events[0]?.data.channelId).toBe(3);
    }));

  it('lets exactly one of 50 racing writers have a name, in one process or several', () =>
    inWorld(async ({ store, runner }) => {
      const runners = [runner(), runner(), runner()];
      const race = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => createWith(runners[index % 3] as CommandRunner, 'the one')),
      );
      expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await store.readStream('channels')).toHaveLength(1);
    }));

  it('gives each of 50 racing writers of different names an id of its own', () =>
    inWorld(async ({ store, runner }) => {
      const one = runner();
      await Promise.all(Array.from({ length: 50 }, (_, index) => createWith(one, `channel ${index}`)));
      const ids = (await store.readStream('channels')).map(({ data }) => data.channelId);
      expect(ids).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    }));

  it('fails as unavailable when it meets conflicts again and again, and has appended nothing', () =>
    inWorld(async ({ store }) => {
      const keys = {
        putIfAbsent: unused,
        getMany: unused,
        missing: unused,
        destroy: unused,
        names: unused,
        close: unused,
      };
      const alwaysBeaten: EventStore = {
        idMemory: 'for ever',
        knownHead: null,
        append: (stream, _events, expected) => Promise.reject(new RevisionConflict(stream, expected, 0)),
        readStream: () => Promise.resolve([]),
        readAll: (options) => store.readAll(options),
        subscribe: (options) => store.subscribe(options),
        head: () => store.head(),
        close: () => store.close(),
      };
      const runner = new CommandRunner(alwaysBeaten, keys, new EventCodec(keys, eventRegistry));
      await expect(createWith(runner, 'never')).rejects.toBeInstanceOf(UnavailableError);
    }));

  it('appends again under the same id when it does not know whether the append was stored', () =>
    inWorld(async ({ store }) => {
      const keys = {
        putIfAbsent: unused,
        getMany: unused,
        missing: unused,
        destroy: unused,
        names: unused,
        close: unused,
      };
      let failures = 2;
      const losesAnswers: EventStore = {
        idMemory: 'for ever',
        knownHead: null,
        append: async (stream, events, expected) => {
          const result = await store.append(stream, events, expected);
          if (failures-- > 0) throw new EventStoreUnavailable('the answer was lost', 'unknown');
          return result;
        },
        readStream: (stream, options) => store.readStream(stream, options),
        readAll: (options) => store.readAll(options),
        subscribe: (options) => store.subscribe(options),
        head: () => store.head(),
        close: () => store.close(),
      };
      const { events } = await createWith(
        new CommandRunner(losesAnswers, keys, new EventCodec(keys, eventRegistry)),
        'design',
      );
      expect(events[0]?.data.channelId).toBe(1);
      expect(await store.readStream('channels')).toHaveLength(1);
    }));

  it('does not report that nothing was stored if only its last attempt certainly stored nothing', () =>
    inWorld(async ({ store }) => {
      const keys = {
        putIfAbsent: unused,
        getMany: unused,
        missing: unused,
        destroy: unused,
        names: unused,
        close: unused,
      };
      let attempts = 0;
      const goesAway: EventStore = {
        idMemory: 'bounded',
        knownHead: null,
        append: async (stream, events, expected) => {
          attempts++;
          if (attempts > 1) throw new EventStoreUnavailable('away', 'no');
          await store.append(stream, events, expected);
          throw new EventStoreUnavailable('the answer was lost', 'unknown');
        },
        readStream: (stream, options) => store.readStream(stream, options),
        readAll: (options) => store.readAll(options),
        subscribe: (options) => store.subscribe(options),
        head: () => store.head(),
        close: () => store.close(),
      };
      const failing = createWith(new CommandRunner(goesAway, keys, new EventCodec(keys, eventRegistry)), 'design');
      await expect(failing).rejects.toMatchObject({ stored: 'unknown' });
      expect(attempts).toBeGreaterThan(1);
      expect(await store.readStream('channels')).toHaveLength(1);
    }));

  it('holds a request no longer than its bound when the log does not answer', () =>
    inWorld(async ({ store }) => {
      const keys = {
        putIfAbsent: unused,
        getMany: unused,
        missing: unused,
        destroy: unused,
        names: unused,
        close: unused,
      };
      let attempts = 0;
      const fallsSilent: EventStore = {
        idMemory: 'bounded',
        knownHead: null,
        append: async () => {
          attempts++;
          if (attempts > 1) return new Promise(() => {});
          throw new EventStoreUnavailable('the answer was lost', 'unknown');
        },
        readStream: (stream, options) => store.readStream(stream, options),
        readAll: (options) => store.readAll(options),
        subscribe: (options) => store.subscribe(options),
        head: () => store.head(),
        close: () => store.close(),
      };
      const runner = new CommandRunner(fallsSilent, keys, new EventCodec(keys, eventRegistry), { longestAppend: 100 });
      await expect(createWith(runner, 'design')).rejects.toMatchObject({ stored: 'unknown' });
      expect(attempts).toBe(2);
    }));

  it('appends nothing when a consequence of an event is repeated', () =>
    inWorld(async ({ store, runner }) => {
      const ids = (index: number) => derivedId('follow-up', 'decision', index);
      await createWith(runner(), 'design', ids);
      const [stored] = await store.readStream('channels');
      expect(stored).toMatchObject({ id: ids(0), metadata: { causationId: 'cause' } });
      await expect(createWith(runner(), 'design', ids)).rejects.toBeInstanceOf(DomainError);
      expect(await store.readStream('channels')).toHaveLength(1);
    }));
});

const unused = (): never => {
  throw new Error('no content is sealed here');
};
