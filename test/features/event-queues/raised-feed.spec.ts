import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import { projections as today } from '../../../projections/index.js';
import { ProjectionRunner } from '../../../projections/runner/projection-runner.js';
import { compiled } from '../../../scripts/transpile.js';
import { Directory } from '../../../src/directory/directory.js';
import { DirectoryFollower } from '../../../src/directory/directory-follower.js';
import { Facts } from '../../../src/directory/facts.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import {
  BEYOND_THE_LOG,
  GetEvents,
  GetEventsHandler,
} from '../../../src/features/event-queues/queries/get-events.handler.js';
import { ClientEventFeed } from '../../../src/features/event-queues/services/client-event-feed.js';
import { ClientEventTexts } from '../../../src/features/event-queues/services/client-event-texts.js';
import { EphemeralTail } from '../../../src/features/event-queues/services/ephemeral-tail.js';
import { LiveQueues } from '../../../src/features/event-queues/services/live-queues.js';
import { QueueActivity } from '../../../src/features/event-queues/services/queue-activity.js';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { ReadStates } from '../../../src/features/message-flags/services/read-states.js';
import { MessageDocuments } from '../../../src/features/messages/client-events/message-documents.js';
import { MessageNarrowing } from '../../../src/features/messages/client-events/message-narrowing.js';
import { MovedMessagesLookUp } from '../../../src/features/messages/client-events/moved-messages.js';
import { MessageClientEvents } from '../../../src/features/messages/messages.client-events.js';
import { MessageRows } from '../../../src/features/messages/services/message-rows.js';
import { AlertWords } from '../../../src/features/personal/services/alert-words.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import type { EngineSettings } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { withOwnEngines } from '../../support/engines/own-engines.js';
import { projections as raised } from '../../support/projections/client-events-raised.js';
import type { ClientEvent } from '../../support/requests/event-queue.js';

Logger.overrideLogger(false);

const TODAY = { projections: today, module: compiled('projections/index.ts') };
const LATER = { projections: raised, module: compiled('test/support/projections/client-events-raised.ts') };

const NOBODY_GOES = {
  isDisconnected: false,
  onDisconnect: () => undefined,
  outside: <T>(wait: () => Promise<T>) => wait(),
};

/** Runs `work` on the read side and the queues of a server, without HTTP, with the read models of the version. */
async function withQueues(
  settings: EngineSettings,
  version: { readonly projections: readonly Projection[]; readonly module: string },
  work: (server: {
    append(stream: string, event: DomainEvent): Promise<Position>;
    poll(lastEventId: number): Promise<ClientEvent[]>;
    rebuild(): Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const engines = await openEngines(settings);
  const { eventStore, documentStore, contentKeys } = engines;
  const codec = new EventCodec(contentKeys, eventRegistry);
  const runner = new ProjectionRunner({
    eventStore,
    documentStore,
    codec,
    projections: version.projections,
    rebuild: { engines: settings, projectionsModule: version.module },
  });
  const directory = new Directory();
  const follower = new DirectoryFollower({
    eventStore,
    codec,
    projection: directoryProjection,
    readModels: runner,
    directory,
  });
  const waiting = new WaitingPolls(directory);
  const failures: unknown[] = [];
  const feed = new ClientEventFeed(runner, directory, follower, (error) => failures.push(error), waiting);
  const activity = await QueueActivity.open(documentStore, 1000, (error) => failures.push(error));
  const messages = new MessageClientEvents(
    directory,
    new MessageDocuments(runner),
    new MovedMessagesLookUp(new Facts(directory, runner)),
    new ReadStates(runner),
    new AlertWords(runner),
    MessageRows.sharedBy(runner),
    new MessageNarrowing(directory),
  );
  const texts = new ClientEventTexts([messages], directory);
  const events = new GetEventsHandler(
    directory,
    new LiveQueues(runner, texts),
    feed,
    waiting,
    new EphemeralTail(directory, waiting),
    texts,
    activity,
    { heartbeatAfter: 1000, idleLimit: 1_000_000 },
    8_000_000,
  );
  await runner.start();
  await runner.settled();
  await follower.start();
  feed.onApplicationBootstrap();
  try {
    await work({
      append: async (stream, event) => {
        const id = newEventId();
        const { key } = await contentKeys.putIfAbsent(id, newContentKey());
        const metadata = { actorId: null, client: 'test', at: Date.now(), correlationId: id, causationId: null };
        const { position } = await eventStore.append(
          stream,
          [codec.encode(event, id, metadata, { keyId: id, key })],
          'any',
        );
        await runner.waitFor(version.projections, position);
        return position;
      },
      poll: async (lastEventId) => {
        const texts = await events.execute(
          new GetEvents({ queueId: 'queue', userId: 1, lastEventId, dontBlock: true, connection: NOBODY_GOES }),
        );
        if (texts === BEYOND_THE_LOG) throw new Error(texts);
        return texts.map((text) => JSON.parse(text) as ClientEvent);
      },
      rebuild: () => runner.rebuild(['client-events']),
    });
    expect(failures).toEqual([]);
  } finally {
    feed.onApplicationShutdown();
    await activity.flush();
    await follower.close();
    await runner.close();
    await engines.close();
  }
}

const user: DomainEvent = {
  type: 'UserCreated',
  data: { userId: 1, email: 'u@example.com', fullName: 'U', role: 400, passwordHash: null, channelIds: [] },
};

const registered = (startsAfter: Position): DomainEvent => ({
  type: 'QueueRegistered',
  data: {
    queueId: 'queue',
    userId: 1,
    eventTypes: null,
    narrow: { required: [], excluded: [] },
    allPublicChannels: false,
    applyMarkdown: false,
    clientGravatar: true,
    slimPresence: false,
    includeSubscribers: false,
    clientCapabilities: {},
    statePositions: { organization: startsAfter, messages: startsAfter },
    startsAfter,
  },
});

const note = (text: string): DomainEvent => ({
  type: 'MessageSent',
  data: {
    senderId: 1,
    recipient: { type: 'direct', userIds: [1] },
    readBySender: false,
    localEcho: null,
    sendKey: null,
    content: { text, rendered: `<p>${text}</p>`, rendererVersion: 1 },
  },
});

const told = (events: readonly ClientEvent[]): [number, string][] =>
  events.map((event) => [event.id, event.type === 'message' ? event.message.content : event.type]);

describe('a feed that a later version rebuilds, with one more kind of event', () => {
  it('keeps every id: a client that continues from an acknowledged event gets every later event once', () =>
    withOwnEngines(async ({ settings }) => {
      let before: ClientEvent[] = [];
      await withQueues(settings, TODAY, async ({ append, poll, rebuild }) => {
        await append('eventQueues', registered(await append('users', user)));
        for (const text of ['one', 'two', 'three', 'four']) await append('messages', note(text));
        before = await poll(-1);
        expect(told(before).map(([, content]) => content)).toEqual(['one', 'two', 'three', 'four']);
        await rebuild();
        expect(await poll(-1)).toEqual(before);
      });

      await withQueues(settings, LATER, async ({ append, poll }) => {
        await append('messages', note('five'));
        const acknowledged = before[1]?.id ?? 0;
        const after = await poll(acknowledged);
        expect(after.filter(({ type }) => type === 'message').slice(0, 2)).toEqual(before.slice(2));
        expect(told(after).map(([, content]) => content)).toEqual([
          ...['realm_user', 'three', 'realm_user', 'four', 'realm_user', 'five'],
        ]);
        const everything = await poll(-1);
        expect(everything.filter(({ id }) => before.some((event) => event.id === id))).toEqual(before);
        expect(await poll(after.at(-1)?.id ?? 0)).toEqual([]);
      });
    }));
});
