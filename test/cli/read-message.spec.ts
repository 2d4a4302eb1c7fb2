import { describe, expect, it } from '@jest/globals';
import type { LogQuery } from '../../src/cli/read-log.js';
import { readMessage } from '../../src/cli/read-message.js';
import { CONTENT_KEYS, type ContentKeys } from '../../src/content-keys/content-keys.js';
import { EventCodec } from '../../src/event-codec/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../src/event-store/event-store.js';
import { Annals } from '../support/annals.js';

describe('the log of one message', () => {
  it('is how it was sent and all that has become of it, and nothing of others', async () => {
    const annals = await Annals.start();
    try {
      const { api, id: ownerId } = await annals.owner();
      const send = async (content: string): Promise<number> =>
        (await api.post('/messages', { type: 'channel', to: 'general', topic: 't', content })).body.id;
      const read = async (messageId: number, changes: Partial<LogQuery> = {}) => {
        const query = { filter: {}, follow: false, signal: new AbortController().signal, ...changes };
        const codec = new EventCodec(annals.app.get<ContentKeys>(CONTENT_KEYS));
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
      expect(await read(id, { actorId: ownerId })).toEqual(life);
      expect(await read(id, { actorId: 999 })).toEqual([]);
      expect(await read(999_999)).toEqual([]);

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
});
