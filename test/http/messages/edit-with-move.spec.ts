import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('one request that edits a message and moves it', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let channelId: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    reader = await annals.user('reader');
    const principals = [owner.id, reader.id];
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'tides' }], principals });
    channelId = (await owner.api.get('/get_stream_id', { stream: 'tides' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const sent = async (topic: string): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to: channelId, topic, content: 'first words' })).body.id;
  const changed = async (id: number, changes: object): Promise<void> => {
    expect((await owner.api.patch(`/messages/${id}`, { ...changes })).body).toEqual({
      result: 'success',
      msg: '',
      detached_uploads: [],
    });
  };
  const queueOf = (): Promise<EventQueue> =>
    EventQueue.register(reader.api, { event_types: ['update_message'], apply_markdown: false });
  const historyOf = async (id: number) =>
    (await reader.api.get(`/messages/${id}/history`)).body.message_history as Record<string, unknown>[];
  const editsOf = async (id: number) =>
    (await reader.api.get(`/messages/${id}`)).body.message.edit_history as Record<string, unknown>[];

  it('is one event and one entry of the history, live and after a rebuild', async () => {
    const id = await sent('tea');
    const other = await sent('tea');
    const [queue, waits] = [await queueOf(), await queueOf()];
    const waiting = waits.poll();
    await changed(id, { content: 'new words', topic: 'milk', propagate_mode: 'change_all' });
    const event = {
      id: expect.any(Number),
      type: 'update_message',
      user_id: owner.id,
      rendering_only: false,
      message_id: id,
      message_ids: [id, other],
      edit_timestamp: expect.any(Number),
      stream_id: channelId,
      stream_name: 'tides',
      propagate_mode: 'change_all',
      orig_subject: 'tea',
      subject: 'milk',
      topic_links: [],
      orig_content: 'first words',
      orig_rendered_content: '<p>first words</p>',
      content: 'new words',
      rendered_content: '<p>new words</p>',
      is_me_message: false,
      flags: [],
    };
    expect(await waiting).toEqual([event]);
    expect(await queue.drain()).toEqual([event]);
    const time = expect.any(Number);
    const change = {
      user_id: owner.id,
      timestamp: time,
      prev_topic: 'tea',
      topic: 'milk',
      prev_content: 'first words',
      prev_rendered_content: '<p>first words</p>',
    };
    const expectHistory = async (): Promise<void> => {
      expect(await editsOf(id)).toEqual([change]);
      expect(await historyOf(id)).toEqual([
        {
          topic: 'tea',
          content: 'first words',
          rendered_content: '<p>first words</p>',
          timestamp: time,
          user_id: owner.id,
        },
        { ...change, content: 'new words', rendered_content: '<p>new words</p>' },
      ]);
      expect(await editsOf(other)).toEqual([{ user_id: owner.id, timestamp: time, prev_topic: 'tea', topic: 'milk' }]);
    };
    await expectHistory();
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['messages', 'client-events'], () => {});
    await expectHistory();
  });

  it('takes a hash of the content that it replaces', async () => {
    const id = await sent('hashed');
    const prev_content_sha256 = createHash('sha256').update('first words').digest('hex');
    await changed(id, { content: 'new words', topic: 'by hash', prev_content_sha256 });
    expect(await historyOf(id)).toHaveLength(2);
  });

  it('is two entries if two requests do it', async () => {
    const id = await sent('twice');
    const queue = await queueOf();
    await changed(id, { content: 'new words' });
    await changed(id, { topic: 'apart' });
    expect(await historyOf(id)).toHaveLength(3);
    expect(await queue.drain()).toMatchObject([{ content: 'new words' }, { subject: 'apart' }]);
  });

  it('is an edit alone if the topic is the one it has, and a move alone if the content is', async () => {
    const id = await sent('same');
    const queue = await queueOf();
    await changed(id, { content: 'new words', topic: 'same' });
    await changed(id, { content: 'new words', topic: 'other' });
    const [edit, move, ...more] = (await queue.drain()) as [ClientEvent, ClientEvent];
    expect(more).toEqual([]);
    expect(edit).toMatchObject({ content: 'new words' });
    expect(edit).not.toHaveProperty('subject');
    expect(move).toMatchObject({ subject: 'other' });
    expect(move).not.toHaveProperty('content');
  });

  it('is told as an edit if the process died before the move', async () => {
    const id = await sent('cut');
    const queue = await queueOf();
    const runner = annals.app.get(CommandRunner);
    const decide = runner.decide.bind(runner);
    const requests: string[] = [];
    runner.decide = (request) => {
      requests.push(request.stream);
      return request.stream.startsWith('topics-') ? Promise.reject(new Error('died')) : decide(request);
    };
    expect((await owner.api.patch(`/messages/${id}`, { content: 'new words', topic: 'never' })).status).toBe(500);
    runner.decide = decide;
    expect(requests).toHaveLength(2);
    expect(await queue.drain()).toMatchObject([{ content: 'new words', message_ids: [id] }]);
    await changed(id, { content: 'new words', topic: 'at last' });
    expect(await queue.drain()).toMatchObject([{ subject: 'at last' }]);
  });
});
