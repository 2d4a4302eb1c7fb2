import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Answer, Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ids = ({ body }: Answer): number[] => body.messages.map(({ id }: { id: number }) => id);

const about = ({ body: { found_anchor, found_oldest, found_newest, history_limited, anchor } }: Answer) => ({
  found_anchor,
  found_oldest,
  found_newest,
  history_limited,
  anchor,
});

describe('reading messages', () => {
  let annals: Annals;
  let anna: Member;
  let bert: Member;
  let guest: Member;
  /** The ids of the sent messages in order: 1, 2, … */
  const sent: number[] = [];

  const send = async (by: Member, params: Params): Promise<void> => {
    const { body } = await by.api.post('/messages', { read_by_sender: false, ...params });
    sent.push(body.id);
  };
  const subscribe = (by: Member, name: string, params: Params = {}): Promise<Answer> =>
    by.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params });
  const read = (by: Member, params: Params): Promise<Answer> =>
    by.api.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 100, ...params });

  beforeAll(async () => {
    annals = await Annals.start();
    anna = await annals.user('anna');
    bert = await annals.user('bert');
    guest = await annals.user('guest', 600);
    await subscribe(anna, 'Open');
    await send(anna, { type: 'channel', to: 'Open', topic: 'lunch', content: '*one*' }); // 1
    await subscribe(anna, 'Open', { principals: [bert.id, guest.id] });
    await send(anna, { type: 'stream', to: 'Open', topic: 'Lunch', content: 'two' }); // 2
    await send(bert, { type: 'channel', to: 'Open', topic: '', content: 'three' }); // 3
    await send(bert, { type: 'direct', to: [anna.id], content: '/me waves', read_by_sender: true }); // 4
    await subscribe(anna, 'Secret', { invite_only: true, history_public_to_subscribers: false });
    await send(anna, { type: 'channel', to: 'Secret', topic: 'plan', content: 'five' }); // 5
    await subscribe(anna, 'Secret', { principals: [bert.id] });
    await send(anna, { type: 'channel', to: 'Secret', topic: 'plan', content: 'six' }); // 6
    await send(guest, { type: 'direct', to: [anna.id, bert.id], content: 'seven' }); // 7
  });

  afterAll(() => annals.stop());

  it('messages get consecutive ids in the order of sending', () => {
    expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  describe('a message', () => {
    it('of a channel has all its fields', async () => {
      const { body } = await read(bert, { anchor: 1, num_after: 0, narrow: [['channel', 'Open']] });
      expect(body.messages).toEqual([
        {
          id: 1,
          sender_id: anna.id,
          sender_email: 'anna@example.com',
          sender_full_name: 'anna',
          sender_realm_str: '',
          client: expect.any(String),
          content: '<p><em>one</em></p>',
          content_type: 'text/html',
          timestamp: expect.any(Number),
          type: 'stream',
          subject: 'lunch',
          stream_id: expect.any(Number),
          display_recipient: 'Open',
          recipient_id: expect.any(Number),
          avatar_url: null,
          is_me_message: false,
          reactions: [],
          submessages: [],
          topic_links: [],
          flags: ['read', 'historical'],
        },
      ]);
      expect(Math.abs(body.messages[0].timestamp * 1000 - Date.now())).toBeLessThan(600_000);
      expect(Number.isInteger(body.messages[0].timestamp)).toBe(true);
    });

    it('of a conversation names everyone in it', async () => {
      const { body } = await read(anna, { narrow: [{ operator: 'dm', operand: [bert.id] }] });
      expect(body.messages).toMatchObject([
        {
          id: 4,
          type: 'private',
          subject: '',
          is_me_message: true,
          flags: [],
          display_recipient: [
            { id: anna.id, email: 'anna@example.com', full_name: 'anna', is_mirror_dummy: false },
            { id: bert.id, email: 'bert@example.com', full_name: 'bert', is_mirror_dummy: false },
          ],
        },
      ]);
      expect(body.messages[0]).not.toHaveProperty('stream_id');
      const own = await read(bert, { narrow: [{ operator: 'dm', operand: [anna.id] }] });
      expect(own.body.messages).toMatchObject([{ id: 4, flags: ['read'] }]);
      expect(own.body.messages[0].recipient_id).toBe(body.messages[0].recipient_id);
    });

    it('has its content as Markdown on request', async () => {
      const { body } = await read(anna, { apply_markdown: false, num_after: 1 });
      expect(body.messages).toMatchObject([{ content: '*one*', content_type: 'text/x-markdown' }]);
    });

    it('has an avatar URL for clients that cannot compute it', async () => {
      const { body } = await read(anna, { client_gravatar: false, num_after: 1 });
      expect(body.messages[0].avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/);
    });

    it('with the empty topic has a name for it, unless the client knows the empty topic', async () => {
      const asked = { anchor: 3, num_after: 0 };
      expect((await read(anna, asked)).body.messages).toMatchObject([{ id: 3, subject: 'general chat' }]);
      const knowing = await read(anna, { ...asked, allow_empty_topic_name: true });
      expect(knowing.body.messages).toMatchObject([{ id: 3, subject: '' }]);
    });
  });

  describe('a page', () => {
    it('without a narrow is the reader’s own history', async () => {
      expect(ids(await read(anna, {}))).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(ids(await read(bert, { narrow: [] }))).toEqual([2, 3, 4, 6, 7]);
      expect(ids(await read(guest, {}))).toEqual([2, 3, 7]);
    });

    it.each<[string, Params, number[], Record<string, unknown>]>([
      ['oldest', { anchor: 'oldest', num_after: 2 }, [1, 2], { anchor: 0, found_oldest: true, found_newest: false }],
      [
        'newest',
        { anchor: 'newest', num_before: 2, num_after: 0 },
        [6, 7],
        { anchor: 10000000000000000, found_oldest: false, found_newest: true },
      ],
      [
        'a number beyond all ids',
        { anchor: '10000000000000000', num_before: 2, num_after: 5 },
        [6, 7],
        { anchor: 10000000000000000, found_newest: true },
      ],
      ['a larger number', { anchor: '9'.repeat(40), num_before: 1 }, [7], { anchor: 10000000000000000 }],
      ['a negative number', { anchor: -5, num_after: 1 }, [1], { anchor: 0, found_oldest: true }],
      [
        'an id',
        { anchor: 3, num_before: 1, num_after: 1 },
        [2, 3, 4],
        { anchor: 3, found_anchor: true, found_oldest: false, found_newest: false },
      ],
      [
        'an id in a narrow without it',
        { anchor: 4, num_after: 1, narrow: [['channel', 'Secret']] },
        [5],
        { found_anchor: false },
      ],
      ['an id that is left out', { anchor: 3, num_after: 1, include_anchor: false }, [4], { found_anchor: false }],
      ['an id, alone', { anchor: 3, num_after: 0 }, [3], { found_anchor: true, found_newest: false }],
      [
        'the first unread',
        { anchor: 'first_unread', num_before: 9 },
        [1, 2, 3, 4, 5, 6, 7],
        { anchor: 1, found_newest: true },
      ],
      [
        'the first unread by its former parameter',
        { anchor: undefined, use_first_unread_anchor: true, num_after: 1 },
        [1, 2],
        { anchor: 1 },
      ],
    ])('anchored at %s', async (_, params, found, told) => {
      const answer = await read(anna, params);
      expect(ids(answer)).toEqual(found);
      expect(about(answer)).toMatchObject({ history_limited: false, ...told });
    });

    it('anchored at the first unread is anchored at the newest if all is read', async () => {
      const answer = await read(bert, { anchor: 'first_unread', num_before: 5, narrow: [['dm', 'anna@example.com']] });
      expect(ids(answer)).toEqual([4]);
      expect(about(answer)).toMatchObject({ anchor: 10000000000000000, found_anchor: false, found_newest: true });
    });

    it.each<[string, Params, number[]]>([
      [
        'stream and topic',
        {
          narrow: [
            ['stream', 'open'],
            ['topic', 'LUNCH'],
          ],
        },
        [1, 2],
      ],
      [
        'the empty topic',
        {
          narrow: [
            ['channel', 'Open'],
            ['topic', 'general chat'],
          ],
        },
        [3],
      ],
      ['sender', { narrow: [['sender', 'Bert@example.com']] }, [3, 4]],
      ['pm-with', { narrow: [['pm-with', 'bert@example.com, guest@example.com']] }, [7]],
      ['id', { narrow: [{ operator: 'id', operand: 5 }] }, [5]],
      ['a negated term', { narrow: [{ operator: 'channel', operand: 'Open', negated: true }] }, [4, 5, 6, 7]],
      ['is:dm', { narrow: [['is', 'dm']] }, [4, 7]],
    ])('of a narrow by %s', async (_, params, found) => {
      expect(ids(await read(anna, params))).toEqual(found);
    });

    it('has all messages of a public channel, and of a protected one those sent during the subscription', async () => {
      const open = { narrow: [['channel', 'Open']] };
      const secret = { narrow: [['channel', 'Secret']] };
      expect(ids(await read(bert, open))).toEqual([1, 2, 3]);
      expect(ids(await read(bert, secret))).toEqual([6]);
      expect(ids(await read(guest, open))).toEqual([1, 2, 3]);
    });

    it('of ids has the messages that exist and may be read', async () => {
      const asked = (by: Member, params: Params): Promise<Answer> => by.api.get('/messages', params);
      const answer = await asked(bert, { message_ids: [7, 5, 1, 99, 7] });
      expect(ids(answer)).toEqual([1, 7]);
      expect(about(answer)).toEqual({
        found_anchor: false,
        found_oldest: false,
        found_newest: false,
        history_limited: false,
        anchor: undefined,
      });
      expect(ids(await asked(anna, { message_ids: [4, 5, 6], narrow: [['channel', 'Secret']] }))).toEqual([5, 6]);
      expect(ids(await asked(anna, { message_ids: [] }))).toEqual([]);
    });
  });

  describe('GET /messages/{message_id}', () => {
    it('answers the message and its Markdown', async () => {
      const { body } = await anna.api.get('/messages/1');
      expect(body).toMatchObject({
        raw_content: '*one*',
        message: { id: 1, content: '<p><em>one</em></p>', flags: [] },
      });
      const plain = await anna.api.get('/messages/3', { apply_markdown: false, allow_empty_topic_name: true });
      expect(plain.body.message).toMatchObject({ content: 'three', content_type: 'text/x-markdown', subject: '' });
    });

    it('answers earlier messages of a public channel to its subscribers', async () => {
      expect((await bert.api.get('/messages/1')).status).toBe(200);
    });

    it.each<[string, () => Member, string]>([
      ['that does not exist', () => anna, '99'],
      ['between other users', () => guest, '4'],
      ['from before the subscription in a channel with protected history', () => bert, '5'],
      ['of a private channel', () => guest, '6'],
    ])('is refused for a message %s', async (_, who, id) => {
      const { status, body } = await who().api.get(`/messages/${id}`);
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)']);
    });

    it('answers 404 for a value that is not an id', async () => {
      expect((await anna.api.get('/messages/first')).status).toBe(404);
    });
  });

  describe('GET /messages refuses', () => {
    const range = { anchor: 'newest', num_before: 1, num_after: 0 };

    it.each<[string, Params, string, string]>([
      ['no anchor', { num_before: 1, num_after: 1 }, 'REQUEST_VARIABLE_MISSING', "Missing 'anchor' argument"],
      ['no num_before', { anchor: 1, num_after: 1 }, 'REQUEST_VARIABLE_MISSING', "Missing 'num_before' argument"],
      ['no num_after', { anchor: 1, num_before: 1 }, 'REQUEST_VARIABLE_MISSING', "Missing 'num_after' argument"],
      [
        'a misspelt num_before',
        { anchor: 1, num_befor: 1, num_after: 1 },
        'REQUEST_VARIABLE_MISSING',
        "Missing 'num_before' argument; there is no parameter num_befor",
      ],
      ['an unknown anchor', { ...range, anchor: 'middle' }, 'BAD_REQUEST', 'Invalid anchor'],
      ['an empty anchor', { ...range, anchor: '' }, 'BAD_REQUEST', 'Invalid anchor'],
      ['a negative count', { ...range, num_before: -1 }, 'BAD_REQUEST', 'num_before is too small (minimum: 0)'],
      ['a count that is not an integer', { ...range, num_after: 1.5 }, 'BAD_REQUEST', 'num_after is not an integer'],
      [
        'too many messages',
        { ...range, num_before: 4000, num_after: 1001 },
        'BAD_REQUEST',
        'Too many messages requested (maximum 5000).',
      ],
      [
        'too many ids',
        { message_ids: Array.from({ length: 5001 }, (_, id) => id) },
        'BAD_REQUEST',
        'Too many messages requested (maximum 5000).',
      ],
      [
        'a range without its anchor in the middle',
        { anchor: 1, num_before: 1, num_after: 1, include_anchor: false },
        'BAD_REQUEST',
        'The anchor can only be excluded at an end of the range',
      ],
      [
        'ids and a range',
        { message_ids: [1], num_before: 1 },
        'BAD_REQUEST',
        'Unsupported parameter combination: num_before, num_after, anchor, include_anchor, use_first_unread_anchor, message_ids',
      ],
      ['a narrow that is not JSON', { ...range, narrow: 'channel' }, 'INVALID_JSON', 'narrow is not valid JSON'],
      ['a narrow that is not a list', { ...range, narrow: { operator: 'id' } }, 'BAD_REQUEST', 'narrow is not a list'],
      [
        'a term that is not a pair',
        { ...range, narrow: [['channel']] },
        'BAD_REQUEST',
        'narrow[0] is not a pair of strings',
      ],
      [
        'an unknown operator',
        { ...range, narrow: [['colour', 'red']] },
        'BAD_NARROW',
        'Invalid narrow operator: unknown operator colour',
      ],
      [
        'an unknown channel',
        { ...range, narrow: [['channel', 'Void']] },
        'BAD_NARROW',
        'Invalid narrow operator: unknown channel Void',
      ],
      [
        'an unknown sender',
        { ...range, narrow: [['sender', 'x@example.com']] },
        'BAD_NARROW',
        'Invalid narrow operator: unknown user x@example.com',
      ],
    ])('%s', async (_, params, code, msg) => {
      const { status, body } = await anna.api.get('/messages', params);
      expect([status, body.code, body.msg]).toEqual([400, code, msg]);
    });

    it('a private channel that the reader does not see, as if it did not exist', async () => {
      const { body } = await read(guest, { narrow: [['channel', 'Secret']] });
      expect(body.msg).toBe('Invalid narrow operator: unknown channel Secret');
    });

    it('both names of a private channel that was renamed after the reader left, but not its id', async () => {
      const created = await subscribe(anna, 'Cellar', { principals: [bert.id], invite_only: true });
      expect(created.status).toBe(200);
      const { stream_id } = (await anna.api.get('/get_stream_id', { stream: 'Cellar' })).body;
      expect((await bert.api.delete('/users/me/subscriptions', { subscriptions: ['Cellar'] })).status).toBe(200);
      expect((await anna.api.patch(`/streams/${stream_id}`, { new_name: 'Heist' })).status).toBe(200);
      for (const [name, status] of [
        ['Heist', 400],
        ['Cellar', 400],
        [stream_id, 200],
      ] as const) {
        const answer = await read(bert, { narrow: [{ operator: 'channel', operand: name }] });
        expect([name, answer.status]).toEqual([name, status]);
        if (typeof name === 'number') continue;
        const msg = `Invalid narrow operator: unknown channel ${name}`;
        expect(answer.body.msg).toBe(msg);
        expect((await bert.api.post('/register', { narrow: [['channel', name]] })).body.msg).toBe(msg);
      }
    });

    it('to show the new name of a private channel in a queue of a user who left before', async () => {
      await subscribe(anna, 'Attic', { principals: [anna.id, bert.id], invite_only: true });
      const { stream_id } = (await anna.api.get('/get_stream_id', { stream: 'Attic' })).body;
      const queue = await EventQueue.register(bert.api);
      const { id } = (await anna.api.post('/messages', { type: 'channel', to: stream_id, topic: 't', content: 'one' }))
        .body;
      await anna.api.patch(`/messages/${id}`, { content: 'two' });
      await bert.api.delete('/users/me/subscriptions', { subscriptions: ['Attic'] });
      await anna.api.patch(`/streams/${stream_id}`, { new_name: 'Heist to come' });
      const told = await queue.drain();
      const kinds = told.map(({ type }) => type);
      expect(kinds).toEqual(expect.arrayContaining(['message', 'update_message']));
      expect(JSON.stringify(told)).not.toContain('Heist');
    });

    it('requests without credentials', async () => {
      expect((await annals.api.get('/messages', range)).status).toBe(401);
      expect((await annals.api.get('/messages/1')).status).toBe(401);
    });
  });
});
