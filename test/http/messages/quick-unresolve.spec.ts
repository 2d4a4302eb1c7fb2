import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { type MessagesMoved, topicsStream } from '../../../src/events/messages/topics.events.js';
import { NOTIFICATION_BOT } from '../../../src/events/shared/system-bots.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../src/platform/commands/read-your-writes.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { move } from '../../support/events/moves.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a topic that is resolved and soon unresolved', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let outsider: Member;
  let channel: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [reader, outsider] = [await annals.user('reader'), await annals.user('outsider')];
    const principals = [owner.id, reader.id];
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'questions' }], principals });
    channel = (await owner.api.get('/get_stream_id', { stream: 'questions' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const sent = async (topic: string): Promise<number> =>
    (await reader.api.post('/messages', { type: 'channel', to: channel, topic, content: 'words' })).body.id;

  const renamed = async (id: number, topic: string): Promise<void> => {
    const { status } = await owner.api.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
    expect(status).toBe(200);
  };

  /** The messages of the notification bot in the topic. */
  const noticesIn = async (topic: string): Promise<{ id: number; content: string }[]> => {
    const narrow = [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: topic },
      { operator: 'sender', operand: NOTIFICATION_BOT.id },
    ];
    const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false };
    return (await owner.api.get('/messages', page)).body.messages;
  };
  const marked = (as: string) =>
    expect.objectContaining({ content: expect.stringContaining(` marked this topic as ${as}.`) });

  it('has no notice of either, and clients are told the deletion of the first one', async () => {
    const id = await sent('tea');
    await renamed(id, '✔ tea');
    const [notice] = await noticesIn('✔ tea');
    expect(notice).toEqual(marked('resolved'));
    const types = { event_types: ['message', 'delete_message'] };
    const queue = await EventQueue.register(reader.api, types);
    const theirs = await EventQueue.register(outsider.api, types);
    const head = await annals.head();
    await renamed(id, 'tea');

    expect(await noticesIn('tea')).toEqual([]);
    expect(await queue.drain()).toMatchObject([
      { type: 'delete_message', message_id: notice?.id, message_type: 'stream', stream_id: channel, topic: 'tea' },
    ]);
    expect(await theirs.drain()).toEqual([]);
    expect((await reader.api.get(`/messages/${notice?.id}`)).status).toBe(400);
    const since = await annals.events(undefined, head);
    const deleted = since.filter(({ type }) => type === 'MessageDeleted');
    expect(deleted).toMatchObject([
      { data: { messageId: notice?.id, senderId: NOTIFICATION_BOT.id }, metadata: { actorId: owner.id } },
    ]);
    expect(since.map(({ type }) => type)).not.toContain('MessageSent');
    const { keyId } = (deleted[0] as { data: { keyId: string } }).data;
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany([keyId])).size).toBe(0);
  });

  it('has one notice when it is resolved once more', async () => {
    const id = await sent('cake');
    for (const topic of ['✔ cake', 'cake', '✔ cake']) await renamed(id, topic);
    expect(await noticesIn('✔ cake')).toEqual([marked('resolved')]);
  });

  it('has both notices if a message was sent in between', async () => {
    const id = await sent('milk');
    await renamed(id, '✔ milk');
    await sent('✔ milk');
    await renamed(id, 'milk');
    expect(await noticesIn('milk')).toEqual([marked('resolved'), marked('unresolved')]);
  });

  it('has both notices after more than a minute by the times of the events', async () => {
    const keys = annals.app.get<ContentKeys>(CONTENT_KEYS);
    const log = annals.app.get<EventStore>(EVENT_STORE);
    const later = async (topic: string, seconds: number): Promise<void> => {
      const anchorId = await sent(topic);
      await renamed(anchorId, `✔ ${topic}`);
      const runner = new CommandRunner(log, keys, new EventCodec(keys, eventRegistry), {
        now: () => Date.now() + seconds * 1000,
      });
      const by = { actorId: owner.id, client: 'test', correlationId: 'test' };
      const [from, to] = [`✔ ${topic}`, topic].map((name) => ({ channelId: channel, topic: name })) as [never, never];
      const data = move(from, to, { anchorId });
      const event: MessagesMoved = { type: 'MessagesMoved', data };
      const { position } = await runner.report(topicsStream(channel), event, by);
      await annals.app.get(ReadYourWrites).waitFor(position, [event]);
    };
    await later('salt', 61);
    expect(await noticesIn('salt')).toEqual([marked('resolved'), marked('unresolved')]);
    await later('sugar', 30);
    expect(await noticesIn('sugar')).toEqual([]);
  });

  it('stays the same if the consequences run again without documents', async () => {
    const id = await sent('again');
    await renamed(id, '✔ again');
    await renamed(id, 'again');
    const head = await annals.head();
    const deleted = (await annals.events()).filter(({ type }) => type === 'MessageDeleted');
    const keyIds = deleted.map(({ data }) => (data as { keyId: string }).keyId);
    await annals.restart(() => annals.removeDocuments());
    expect(await annals.events(undefined, head)).toEqual([]);
    expect(keyIds.length).toBeGreaterThan(2);
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size).toBe(0);
    expect(await noticesIn('again')).toEqual([]);
    expect(await noticesIn('milk')).toEqual([marked('resolved'), marked('unresolved')]);
  });
});
