import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messages } from '../../../projections/messages/messages.projection.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { MESSAGES_STREAM, messageIdAt } from '../../../src/events/messages/messages.events.js';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const HOUR_MS = 3_600_000;

describe('limits of moves', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'other' }], principals: [iris.id] });
    await owner.api.patch('/realm', {
      move_messages_within_stream_limit_seconds: 3600,
      move_messages_between_streams_limit_seconds: 7200,
    });
  });
  afterAll(() => annals.stop());

  async function sent(topic: string, hoursAgo: number): Promise<number> {
    const { app } = annals;
    const id = newEventId();
    const sealing = await app.get(CommandRunner).sealingKey(id);
    const at = Date.now() - hoursAgo * HOUR_MS;
    const metadata = { actorId: iris.id, client: 'test', at, correlationId: 'test', causationId: null };
    const data = {
      senderId: iris.id,
      recipient: { type: 'channel', channelId: 1, topic },
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: contentOf(topic, NO_CONTENT_FACTS),
    };
    const codec = new EventCodec(app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
    const event = codec.encode({ type: 'MessageSent', data }, id, metadata, sealing);
    const { position, revision } = await app.get<EventStore>(EVENT_STORE).append(MESSAGES_STREAM, [event], 'any');
    await app.get<ReadModels>(READ_MODELS).waitFor([messages], position);
    return messageIdAt(revision);
  }

  const move = async (by: Member, id: number, params: Params) =>
    (await by.api.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params })).body;

  const exceeded = (first: number | null, allowed: number, total: number) => ({
    result: 'error',
    msg: `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`,
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    first_message_id_allowed_to_move: first,
    total_messages_allowed_to_move: allowed,
    total_messages_in_topic: total,
  });

  it('a move with messages that are too old is refused, and the answer names the first that may be moved', async () => {
    const old = await sent('old', 3);
    await sent('old', 2.5);
    const young = await sent('old', 0.5);
    await sent('old', 0);
    const head = await annals.head();
    expect(await move(iris, old, { topic: 'x' })).toEqual(exceeded(young, 2, 4));
    expect(await move(iris, young, { topic: 'x', propagate_mode: 'change_all' })).toEqual(exceeded(young, 2, 4));
    expect(await move(iris, old, { topic: 'x', propagate_mode: 'change_later' })).toEqual(exceeded(young, 2, 4));
    expect(await annals.head()).toBe(head);
    const later = { topic: 'new', propagate_mode: 'change_later' };
    expect((await move(iris, young, later)).result).toBe('success');
    expect(await move(iris, old, { topic: 'x', propagate_mode: 'change_all' })).toEqual(exceeded(null, 0, 2));
  });

  it('moves between channels have a limit of their own', async () => {
    const { stream_id } = (await owner.api.get('/get_stream_id', { stream: 'other' })).body;
    const id = await sent('between', 1.5);
    expect((await move(iris, id, { topic: 'x' })).code).toBe('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED');
    expect((await move(iris, id, { topic: 'x', stream_id })).code).toBe('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED');
    expect((await move(iris, id, { stream_id })).result).toBe('success');
  });

  it('administrators and moderators have no limit, and a topic can be resolved at any age', async () => {
    const moderator = await annals.user('moderator', 300);
    const id = await sent('ancient', 100);
    expect((await move(iris, id, { topic: '✔ ancient', propagate_mode: 'change_all' })).result).toBe('success');
    expect((await move(iris, id, { topic: 'ancient', propagate_mode: 'change_all' })).result).toBe('success');
    expect((await move(moderator, id, { topic: 'by a moderator' })).result).toBe('success');
    expect((await move(owner, id, { topic: 'by the owner' })).result).toBe('success');
  });
});
