import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const KIB = 1024;
/** Room for an answer's other fields, and for the estimate. */
const SLACK = 4 * KIB;

describe('with answers of 64 KiB,', () => {
  let annals: Annals;
  let anna: Member;
  let bert: Member;
  const ids: number[] = [];
  let huge: number;

  const sizeOf = (body: object): number => Buffer.byteLength(JSON.stringify(body));

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ANSWER_KIB: '64' });
    anna = await annals.user('anna');
    bert = await annals.user('bert');
    await anna.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Long' }],
      principals: [anna.id, bert.id],
    });
    for (let n = 0; n < 24; n++) {
      // One message is larger than an answer.
      const content =
        n === 12 ? 'word :8ball:'.padEnd(9_900, ' :8ball:') : `word ${n} `.padEnd(n % 5 === 0 ? 20 : 9_000, '漢');
      const { body } = await anna.api.post('/messages', { type: 'channel', to: 'Long', topic: 't', content });
      ids.push(body.id);
    }
    huge = ids[12] ?? 0;
  });

  afterAll(() => annals.stop());

  /** Reads all messages of a narrow as clients do: outward from an anchor, until both ends are found. */
  async function readAll(anchor: number | string, more: Params = {}): Promise<{ found: number[]; pages: number }> {
    const read = async (params: Params) => {
      const { status, body } = await bert.api.get('/messages', { num_before: 0, num_after: 0, ...more, ...params });
      expect(status).toBe(200);
      // The anchor and its neighbours come however large they are.
      if (body.messages.length > 3) expect(sizeOf(body)).toBeLessThan(64 * KIB + SLACK);
      return { ...body, ids: body.messages.map(({ id }: { id: number }) => id) as number[] };
    };
    const first = await read({ anchor, num_before: 100, num_after: 100 });
    const found = [...first.ids];
    let pages = 1;
    for (let isAll = first.found_oldest; !isAll; pages++) {
      const page = await read({ anchor: found[0], num_before: 100, include_anchor: false });
      found.unshift(...page.ids);
      isAll = page.found_oldest;
      expect(isAll || page.ids.length > 0).toBe(true);
    }
    for (let isAll = first.found_newest; !isAll; pages++) {
      const page = await read({ anchor: found.at(-1), num_after: 100, include_anchor: false });
      found.push(...page.ids);
      isAll = page.found_newest;
      expect(isAll || page.ids.length > 0).toBe(true);
    }
    return { found, pages };
  }

  it.each([
    ['the newest', 'newest', {}],
    ['the oldest', 'oldest', {}],
    ['the first unread', 'first_unread', {}],
    ['a message', 8, {}],
    ['a message, as text', 8, { apply_markdown: false }],
    ['the newest of a channel', 'newest', { narrow: [['channel', 'Long']] }],
    ['unread messages', 'first_unread', { narrow: [['is', 'unread']] }],
    ['unread messages, backwards', 'newest', { narrow: [['is', 'unread']] }],
    ['unread messages around one', 15, { narrow: [['is', 'unread']] }],
    ['a search', 'newest', { narrow: [['search', 'word']] }],
  ] as const)('clients that page on find every message once, from %s', async (_, anchor, more) => {
    const { found, pages } = await readAll(anchor, more);
    expect(found).toEqual(ids);
    expect(pages).toBeGreaterThan(3);
  });

  it('a message that is larger than an answer is a page of its own, with at most one neighbour on each side', async () => {
    const { body } = await bert.api.get('/messages', { anchor: huge, num_before: 10, num_after: 10 });
    expect(body).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([huge - 1, huge, huge + 1]);
  });

  it('messages by id are refused if they are larger together', async () => {
    const few = await bert.api.get('/messages', { message_ids: [huge] });
    expect(few.body.messages).toHaveLength(1);
    const { status, body } = await bert.api.get('/messages', { message_ids: ids });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'These messages are too large for one answer. Ask for fewer.',
    });
  });

  it('messages that match a narrow are refused if they are larger together', async () => {
    const narrow = [['search', 'word']];
    const few = await bert.api.get('/messages/matches_narrow', { msg_ids: [huge], narrow });
    expect(Object.keys(few.body.messages)).toEqual([`${huge}`]);
    const { status, body } = await bert.api.get('/messages/matches_narrow', { msg_ids: ids, narrow });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'These messages are too large for one answer. Ask for fewer.',
    });
  });

  it('the history of a message has its first snapshot and the newest', async () => {
    const { body } = await anna.api.post('/messages', { type: 'direct', to: [bert.id], content: 'as sent' });
    for (let n = 0; n < 9; n++) {
      await anna.api.patch(`/messages/${body.id}`, { content: `edit ${n} `.padEnd(5_000, 'x') });
    }
    const history = await bert.api.get(`/messages/${body.id}/history`);
    expect(sizeOf(history.body)).toBeLessThan(64 * KIB + SLACK);
    const contents: string[] = history.body.message_history.map(({ content }: { content: string }) =>
      content.slice(0, 7).trim(),
    );
    expect(contents).toEqual(['as sent', 'edit 6', 'edit 7', 'edit 8']);
  });
});
