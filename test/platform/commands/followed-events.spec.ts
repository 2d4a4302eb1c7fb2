import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { MESSAGES_STREAM, type MessageSent } from '../../../src/events/messages/messages.events.js';
import { personalStream } from '../../../src/events/personal/personal.events.js';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import { personal } from '../../../src/features/personal/domain/personal.state.js';
import {
  decideFollowTopic,
  decideRaiseTopicPolicy,
  FollowTopic,
  RaiseTopicPolicy,
} from '../../../src/features/personal/domain/topic-policies.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { derivedId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { EventStore } from '../../../src/platform/log/event-store.js';
import { EventStoreDbEventStore } from '../../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { EventStoreDbServer } from '../../support/engines/eventstoredb/server.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 5, client: 'test', correlationId: 'c' };
const stream = personalStream(5);
const [from, to] = [
  { channelId: 1, topic: 'tea' },
  { channelId: 1, topic: 'coffee' },
];

const message: MessageSent = {
  type: 'MessageSent',
  data: {
    senderId: 5,
    recipient: { type: 'channel', channelId: 1, topic: 'tea' },
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content: contentOf('words', NO_CONTENT_FACTS),
  },
};

/** Opens the log as another process. */
type Log = () => Promise<EventStore>;

const unused = (): never => {
  throw new Error('no content is sealed here');
};
const keys = { putIfAbsent: unused, getMany: unused, missing: unused, destroy: unused, names: unused, close: unused };

/** Handles the cause, appends another policy of the topic, and handles the cause again in another process. */
async function handledAgain(open: Log): Promise<void> {
  let store = await open();
  let runner = new CommandRunner(store, keys, new EventCodec(keys, eventRegistry));
  const { position } = await runner.report('cause', { type: 'UserMuted', data: { userId: 5, mutedUserId: 6 } }, by);
  const cause = (kind: string) => ({
    eventId: 'cause',
    position,
    ids: (index: number) => derivedId(kind, 'cause', index),
  });
  const raise = () =>
    runner.decide({
      stream,
      decider: personal,
      expects: 'any',
      decide: decideRaiseTopicPolicy,
      command: new RaiseTopicPolicy(5, from.channelId, from.topic, 3),
      context: undefined,
      by,
      cause: cause('raised'),
    });
  const follow = (isReader: boolean) =>
    runner.decide({
      stream,
      decider: personal,
      expects: 'any',
      decide: decideFollowTopic,
      command: new FollowTopic(5, from, to, by),
      context: { joinsTopic: false, isReader },
      by,
      cause: cause('followed'),
    });
  expect((await raise()).events).toHaveLength(1);
  expect((await follow(false)).events).toHaveLength(1);
  const again = { userId: 5, channelId: 1, topic: 'tea', from: 0, to: 3 };
  await runner.report(stream, { type: 'TopicPolicySet', data: again } as never, by);
  const said = await store.readStream(stream);
  await store.close();

  store = await open();
  runner = new CommandRunner(store, keys, new EventCodec(keys, eventRegistry));
  // One event followed from the cause at first. With today's facts, two would.
  expect((await follow(true)).events).toEqual([]);
  await runner.report(stream, { type: 'TopicPolicySet', data: { ...again, from: 3, to: 0 } } as never, by);
  await raise();
  expect((await store.readStream(stream)).map(({ id }) => id).slice(0, -1)).toEqual(said.map(({ id }) => id));
  await store.close();
}

describe('the events that follow from a cause that is handled again', () => {
  it('are not appended again, even if their effect was undone since', () =>
    withScratch((directory) => handledAgain(() => SqliteEventStore.open(directory))));

  it('are looked up in the log if the engine forgets ids', async () => {
    const server = await EventStoreDbServer.start({ idMemory: 0 });
    try {
      await handledAgain(() => EventStoreDbEventStore.open({ url: server.url, streamPrefix: 'again-' }));
    } finally {
      await server.stop();
    }
  });

  it('bring back no key that was destroyed since', () =>
    withScratch(async (directory) => {
      const store = await SqliteEventStore.open(directory);
      const ownKeys = await SqliteContentKeys.open(directory);
      const runner = new CommandRunner(store, ownKeys, new EventCodec(ownKeys, eventRegistry));
      await runner.report('cause', { type: 'UserMuted', data: { userId: 5, mutedUserId: 6 } }, by);
      const [cause] = (await store.readStream('cause')) as unknown as Recorded[];
      const id = derivedId('said', 'cause');
      const said = () => runner.reportFollowing(MESSAGES_STREAM, message, by, { id, cause: cause as Recorded });
      const first = await said();
      await ownKeys.destroy([id]);
      expect(await said()).toMatchObject({ revision: first.revision, position: first.position });
      expect((await ownKeys.getMany([id])).size).toBe(0);
      await ownKeys.close();
      await store.close();
    }));
});
