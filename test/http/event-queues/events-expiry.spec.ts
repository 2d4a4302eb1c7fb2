import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { QueueActivity } from '../../../src/features/event-queues/services/queue-activity.js';
import { QueueSweeper } from '../../../src/features/event-queues/services/queue-sweeper.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import {
  DOCUMENT_STORE,
  type DocumentStore,
  type StoredDocument,
} from '../../../src/platform/documents/document-store.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DAY_MS = 86_400_000;

interface Activity extends StoredDocument {
  readonly _id: string;
  readonly seenAt: number;
}

describe('a queue that no client polls', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '1', ANNALS_QUEUE_IDLE_DAYS: '30' });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const activity = async () => {
    await annals.app.get(QueueActivity).flush();
    const database = await annals.app.get<DocumentStore>(DOCUMENT_STORE).database('event-queue-activity');
    return database.collection<Activity>('queues');
  };
  const lastSeen = async (queueId: string, daysAgo: number) => {
    const document = {
      _id: queueId,
      seenAt: Date.now() - daysAgo * DAY_MS,
      after: 0,
      through: 0,
      feedVersion: clientEvents.version,
    };
    await (await activity()).replaceOne({ _id: queueId }, document, { upsert: true });
  };
  const sweep = () => annals.app.get(QueueSweeper).sweep();
  const ask = async (queue: EventQueue) =>
    (await owner.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true })).body;

  it('expires after the configured days, while recently polled queues stay', async () => {
    const [idle, recent] = [await EventQueue.register(owner.api), await EventQueue.register(owner.api)];
    await lastSeen(idle.id, 30.1);
    await lastSeen(recent.id, 29.9);
    const head = await annals.head();
    expect(await sweep()).toEqual([idle.id]);
    expect(await annals.events('eventQueues', head)).toMatchObject([
      { type: 'QueueExpired', data: { queueId: idle.id }, metadata: { actorId: null } },
    ]);
    expect(await ask(recent)).toMatchObject({ result: 'success' });
    expect(await ask(idle)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: idle.id });
    expect(await sweep()).toEqual([]);
  });

  it('counts as just polled if nothing is recorded of it, and is recorded from then on', async () => {
    const queue = await EventQueue.register(owner.api);
    await (await activity()).deleteMany({});
    expect(await sweep()).toEqual([]);
    const known = await (await activity()).findOne({ _id: queue.id });
    expect(known?.seenAt).toBeGreaterThan(Date.now() - DAY_MS);
  });

  it('stays if it is polled, even if it has no events', async () => {
    const queue = await EventQueue.register(owner.api, { event_types: [] });
    await lastSeen(queue.id, 31);
    await queue.drain();
    expect(await sweep()).toEqual([]);
    expect(await ask(queue)).toMatchObject({ result: 'success', events: [] });
  });

  it('is refused after the feed has deleted events that it has not read; a queue that has read them stays', async () => {
    const behind = await EventQueue.register(owner.api, { event_types: ['realm_user'] });
    const quiet = await EventQueue.register(owner.api, { event_types: ['message'] });
    await annals.user('somebody');
    await inDays(31);
    await quiet.drain();
    await annals.restart();
    await inDays(62);
    expect(await ask(behind)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(await ask(quiet)).toMatchObject({ result: 'success', events: [] });
  });

  /** Appends an event with a time so many days ahead, and waits until the feed has applied it. */
  async function inDays(days: number): Promise<void> {
    const codec = new EventCodec(annals.app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
    const metadata = {
      actorId: null,
      client: 'test',
      at: Date.now() + days * DAY_MS,
      correlationId: 'test',
      causationId: null,
    };
    const event = codec.encode({ type: 'UserReactivated', data: { userId: 1 } }, newEventId(), metadata);
    const { position } = await annals.app.get<EventStore>(EVENT_STORE).append('users', [event], 'any');
    await annals.app.get<ReadModels>(READ_MODELS).waitFor([clientEvents], position);
  }
});
