import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const QUIET = { send_notification_to_new_thread: false };

interface Entry {
  readonly topic?: string;
  readonly content?: string;
  readonly stream?: number;
}

describe('the history of a message that was moved', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let elsewhere: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'elsewhere' }],
      principals: [owner.id, iris.id],
    });
    elsewhere = (await owner.api.get('/get_stream_id', { stream: 'elsewhere' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const send = async (topic: string): Promise<number> =>
    (await iris.api.post('/messages', { type: 'channel', to: 'general', topic, content: 'one' })).body.id;
  const change = (by: Member, id: number, params: Params) => by.api.patch(`/messages/${id}`, { ...QUIET, ...params });
  const recordOf = async (id: number, params: Params = {}) =>
    (await iris.api.get(`/messages/${id}`, { apply_markdown: false, ...params })).body.message;
  const historyOf = async (id: number, params: Params = {}): Promise<Entry[]> =>
    (await iris.api.get(`/messages/${id}/history`, params)).body.message_history;

  it('has former contents, topics and channels, each with user and time', async () => {
    const id = await send('a');
    await change(iris, id, { content: 'two' });
    await change(owner, id, { topic: 'b' });
    await change(iris, id, { content: 'three' });
    await change(owner, id, { topic: 'c', stream_id: elsewhere, propagate_mode: 'change_all' });
    const timestamp = expect.any(Number);
    const { edit_history, last_edit_timestamp, last_moved_timestamp } = await recordOf(id);
    const said = (text: string) => ({ prev_content: text, prev_rendered_content: `<p>${text}</p>` });
    expect(edit_history).toEqual([
      { user_id: owner.id, timestamp, prev_topic: 'b', topic: 'c', prev_stream: 1, stream: elsewhere },
      { user_id: iris.id, timestamp, ...said('two') },
      { user_id: owner.id, timestamp, prev_topic: 'a', topic: 'b' },
      { user_id: iris.id, timestamp, ...said('one') },
    ]);
    expect([last_edit_timestamp, last_moved_timestamp]).toEqual([edit_history[1].timestamp, edit_history[0].timestamp]);
    const says = (text: string) => ({ content: text, rendered_content: `<p>${text}</p>` });
    expect(await historyOf(id)).toEqual([
      { user_id: iris.id, timestamp, topic: 'a', ...says('one') },
      { user_id: iris.id, timestamp, topic: 'a', ...says('two'), ...said('one') },
      { user_id: owner.id, timestamp, topic: 'b', prev_topic: 'a', ...says('two') },
      { user_id: iris.id, timestamp, topic: 'b', ...says('three'), ...said('two') },
      {
        user_id: owner.id,
        timestamp,
        topic: 'c',
        prev_topic: 'b',
        prev_stream: 1,
        stream: elsewhere,
        ...says('three'),
      },
    ]);
  });

  it('does not count resolving and unresolving a topic as a move', async () => {
    const id = await send('done');
    await change(owner, id, { topic: '✔ done', propagate_mode: 'change_all' });
    await change(owner, id, { topic: 'done', propagate_mode: 'change_all' });
    const record = await recordOf(id);
    expect(record.edit_history).toHaveLength(2);
    expect(record).not.toHaveProperty('last_moved_timestamp');
  });

  it('names the empty topic for clients that do not know it', async () => {
    const id = await send('');
    await change(owner, id, { topic: 'named' });
    const tells = async (allow_empty_topic_name: boolean) => {
      const [first] = await historyOf(id, { allow_empty_topic_name });
      return [(await recordOf(id, { allow_empty_topic_name })).edit_history[0].prev_topic, first?.topic];
    };
    expect(await tells(false)).toEqual(['general chat', 'general chat']);
    expect(await tells(true)).toEqual(['', '']);
  });

  it('shows as much as the organization allows', async () => {
    const id = await send('shown');
    await change(iris, id, { content: 'two' });
    await change(owner, id, { topic: 'moved' });
    const policy = (message_edit_history_visibility_policy: string) =>
      owner.api.patch('/realm', { message_edit_history_visibility_policy });
    try {
      await policy('moves');
      expect((await recordOf(id)).edit_history).toEqual([
        { user_id: owner.id, timestamp: expect.any(Number), prev_topic: 'shown', topic: 'moved' },
      ]);
      expect((await historyOf(id)).map(({ topic, content }) => [topic, content])).toEqual([
        ['shown', 'two'],
        ['moved', 'two'],
      ]);
      await policy('none');
      expect(await recordOf(id)).not.toHaveProperty('edit_history');
      expect((await iris.api.get(`/messages/${id}/history`)).body.result).toBe('error');
    } finally {
      await policy('all');
    }
  });
});
