import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { MessagesMoved } from '../../../src/events/messages/topics.events.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const QUIET = { send_notification_to_new_thread: false };

describe('concurrent moves', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    for (const name of ['one', 'two', 'three']) {
      await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [owner.id, iris.id],
      });
      ids[name] = (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
    }
  });
  afterAll(() => annals.stop());

  const send = async (topic: string, to = 'one'): Promise<number> =>
    (await iris.api.post('/messages', { type: 'channel', to, topic, content: topic })).body.id;
  const move = async (id: number, params: Params): Promise<string> => {
    const { body } = await owner.api.patch(`/messages/${id}`, { ...QUIET, ...params });
    return body.result === 'success' ? body.result : body.msg;
  };
  const placeOf = async (id: number): Promise<string> => {
    const { message } = (await owner.api.get(`/messages/${id}`)).body;
    return `${message.display_recipient}/${message.subject}`;
  };

  it('are decided one after the other, each from the place that the one before gave', async () => {
    const id = await send('start');
    const topics = Array.from({ length: 8 }, (_, n) => `topic ${n}`);
    const results = await Promise.all(topics.map((topic) => move(id, { topic })));
    expect(new Set(results)).toEqual(new Set(['success']));
    const moves = (await annals.events(`topics-${ids.one}`)) as Recorded<MessagesMoved>[];
    const places = moves.slice(-8).map(({ data }) => [data.from.topic, data.to.topic]);
    expect(places.map(([from]) => from)).toEqual(['start', ...places.slice(0, -1).map(([, to]) => to)]);
    expect(await placeOf(id)).toBe(`one/${places.at(-1)?.[1]}`);
  });

  it('find the message in the channel to which another move took it', async () => {
    const id = await send('wanders');
    const targets = ['two', 'three', 'one', 'two', 'three', 'one'];
    const results = await Promise.all(targets.map((name) => move(id, { stream_id: ids[name] })));
    expect(results.every((result) => result === 'success' || result === 'Nothing to change')).toBe(true);
    const moves: Recorded<MessagesMoved>[] = [];
    for (const name of ['one', 'two', 'three'])
      moves.push(...((await annals.events(`topics-${ids[name]}`)) as Recorded<MessagesMoved>[]));
    const own = moves.filter(({ data }) => data.anchorId === id).sort((a, b) => a.position - b.position);
    expect(own.length).toBe(results.filter((result) => result === 'success').length);
    let at = ids.one;
    for (const { data } of own) {
      expect(data.from.channelId).toBe(at);
      at = data.to.channelId;
    }
    expect((await owner.api.get(`/messages/${id}`)).body.message.stream_id).toBe(at);
  });

  it('and sends leave every message in one topic, also after a rebuild', async () => {
    const first = await send('stream');
    const sent: Promise<number>[] = [];
    for (let n = 0; n < 60; n++) sent.push(send(n % 2 === 0 ? 'stream' : 'away'));
    const moves = ['away', 'stream', 'away'].map((topic) => move(first, { topic, propagate_mode: 'change_all' }));
    const all = [first, ...(await Promise.all(sent))];
    await Promise.all(moves);
    const pages = async () => {
      const inTopic = async (topic: string): Promise<number[]> => {
        const narrow = [
          { operator: 'channel', operand: ids.one },
          { operator: 'topic', operand: topic },
        ];
        const { body } = await iris.api.get('/messages', { anchor: 'newest', num_before: 200, num_after: 0, narrow });
        return body.messages.map(({ id }: { id: number }) => id);
      };
      const { topics } = (await iris.api.get(`/users/me/${ids.one}/topics`)).body;
      const { unread_msgs } = (
        await iris.api.post('/register', { fetch_event_types: ['message', 'update_message_flags'] })
      ).body;
      return { stream: await inTopic('stream'), away: await inTopic('away'), topics, unread: unread_msgs.streams };
    };
    const live = await pages();
    expect([...live.stream, ...live.away].sort((a, b) => a - b)).toEqual(all.sort((a, b) => a - b));
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['messages'], () => {});
    expect(await pages()).toEqual(live);
  });
});
