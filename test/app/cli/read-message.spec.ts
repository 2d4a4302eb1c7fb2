import { describe, expect, it } from '@jest/globals';
import { type LogQuery, readMessage } from '../../../src/app/cli/read-log.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { Annals } from '../../support/servers/annals.js';

describe('the log of one message', () => {
  it('has its MessageSent and all its changes, and no event of other messages', async () => {
    const annals = await Annals.start();
    try {
      const { api, id: ownerId } = await annals.owner();
      const send = async (content: string): Promise<number> =>
        (await api.post('/messages', { type: 'channel', to: 'general', topic: 't', content })).body.id;
      const read = async (messageId: number, changes: Partial<LogQuery> = {}) => {
        const query = { filter: {}, follow: false, signal: new AbortController().signal, ...changes };
        const codec = new EventCodec(annals.app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
        const found: unknown[] = [];
        for await (const { type, data } of readMessage(
          annals.app.get<EventStore>(EVENT_STORE),
          codec,
          messageId,
          query,
        ))
          found.push([type, (data as { content?: { text: string } | null }).content?.text ?? null]);
        return found;
      };
      const ids: number[] = [];
      for (let n = 0; n < 12; n++) ids.push(await send(`message ${n}`));
      const [id] = ids as [number];
      await api.patch(`/messages/${id}`, { content: 'edited' });
      await api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
      for (const other of ids.slice(1)) await api.patch(`/messages/${other}`, { content: 'another' });

      const life = [
        ['MessageSent', 'message 0'],
        ['MessageEdited', 'edited'],
        ['ReactionAdded', null],
      ];
      expect(await read(id)).toEqual(life);
      expect(await read(id, { limit: 2 })).toEqual(life.slice(0, 2));
      expect(await read(id, { filter: { types: ['MessageEdited'] } })).toEqual(life.slice(1, 2));
      expect(await read(id, { actorIds: new Set([ownerId]) })).toEqual(life);
      expect(await read(id, { actorIds: new Set([999]) })).toEqual([]);
      expect(await read(id, { last: 2 })).toEqual(life.slice(1));
      await expect(read(999_999)).rejects.toThrow('there is no message 999999');

      await api.delete(`/messages/${id}`);
      expect(await read(id)).toEqual([
        ['MessageSent', null],
        ['MessageEdited', null],
        ['ReactionAdded', null],
        ['MessageDeleted', null],
      ]);
    } finally {
      await annals.stop();
    }
  });

  it('has the moves of the message, alone or with others, without any documents', async () => {
    const annals = await Annals.start();
    try {
      const { api } = await annals.owner();
      await api.post('/users/me/subscriptions', { subscriptions: [{ name: 'elsewhere' }] });
      const { stream_id } = (await api.get('/get_stream_id', { stream: 'elsewhere' })).body;
      const send = async (topic: string, to = 'general'): Promise<number> =>
        (await api.post('/messages', { type: 'channel', to, topic, content: 'x' })).body.id;
      const move = (id: number, params: object) =>
        api.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params });
      const read = async (messageId: number) => {
        const query = { filter: {}, follow: false, signal: new AbortController().signal };
        const codec = new EventCodec(annals.app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
        const found: unknown[] = [];
        for await (const { type, data } of readMessage(annals.app.get(EVENT_STORE), codec, messageId, query)) {
          const to = (data as { to?: { channelId: number; topic: string } }).to;
          found.push(to ? `${to.channelId}/${to.topic}` : type);
        }
        return found;
      };
      const [one, two, three] = [await send('a'), await send('a'), await send('A')];
      await move(two, { topic: 'b', propagate_mode: 'change_later' });
      await move(one, { topic: 'c' });
      await move(three, { topic: 'd', stream_id, propagate_mode: 'change_all' });
      const four = await send('d', 'elsewhere');
      await api.patch(`/messages/${two}`, { content: 'edited' });
      await move(four, { topic: '✔ d', propagate_mode: 'change_all' });
      await move(two, { stream_id: 1, topic: 'a' });
      await move(three, { topic: 'e' });

      expect(await read(one)).toEqual(['MessageSent', '1/c']);
      const away = ['1/b', `${stream_id}/d`];
      expect(await read(two)).toEqual(['MessageSent', ...away, 'MessageEdited', `${stream_id}/✔ d`, '1/a']);
      expect(await read(three)).toEqual(['MessageSent', ...away, `${stream_id}/✔ d`, `${stream_id}/e`]);
      expect(await read(four)).toEqual(['MessageSent', `${stream_id}/✔ d`]);

      await api.delete(`/messages/${three}`);
      await send('e', 'elsewhere');
      await move(three + 100, { topic: 'x' });
      expect((await read(three)).at(-1)).toBe('MessageDeleted');
    } finally {
      await annals.stop();
    }
  });
});
