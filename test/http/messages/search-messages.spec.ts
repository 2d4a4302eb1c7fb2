import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ids = ({ body }: Answer): number[] => body.messages.map(({ id }: { id: number }) => id);
const mark = (word: string): string => `<span class="highlight">${word}</span>`;

describe('searching messages', () => {
  let annals: Annals;
  let anna: Member;
  let bert: Member;
  let carl: Member;
  let openId: number;

  const send = async (by: Member, params: Params): Promise<number> =>
    (await by.api.post('/messages', { type: 'channel', topic: 'plans', read_by_sender: false, ...params })).body.id;
  const subscribe = (by: Member, name: string, params: Params = {}): Promise<Answer> =>
    by.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...params });
  const read = (by: Member, narrow: unknown[], params: Params = {}): Promise<Answer> =>
    by.api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow, ...params });
  const search = (words: string) => ({ operator: 'search', operand: words });
  const not = (term: object) => ({ ...term, negated: true });

  beforeAll(async () => {
    annals = await Annals.start();
    anna = await annals.user('anna');
    bert = await annals.user('bert');
    carl = await annals.user('carl');
    await subscribe(anna, 'Open', { principals: [anna.id, bert.id] });
    await subscribe(anna, 'Secret', { invite_only: true });
    openId = (await anna.api.get('/get_stream_id', { stream: 'Open' })).body.stream_id;
    await send(anna, { to: 'Open', content: 'The **quick** brown fox' }); // 1
    await send(bert, { to: 'Open', topic: 'Fox hunt', content: 'a lazy dog & "friends"' }); // 2
    await send(anna, { to: 'Secret', content: 'the fox is quick https://fox.example/quick' }); // 3
    await send(anna, { type: 'direct', to: [bert.id], content: 'brown quick fox' }); // 4
    await send(bert, { to: 'Open', topic: '', content: 'nothing of it' }); // 5
    await send(carl, { type: 'direct', to: [anna.id, bert.id], content: 'a quick note' }); // 6
  });

  afterAll(() => annals.stop());

  it.each<[string, (all: { a: Member }) => unknown[], number[], number[], number[]]>([
    ['a word', () => [search('quick')], [1, 3, 4, 6], [1, 4, 6], [6]],
    ['a word of a topic', () => [search('fox')], [1, 2, 3, 4], [1, 2, 4], []],
    ['words of content and topic', () => [search('hunt dog')], [2], [2], []],
    ['a phrase', () => [search('"quick brown"')], [1], [1], []],
    ['several searches', () => [search('"quick'), search('fox')], [1, 3, 4], [1, 4], []],
    ['nothing for a word that is in no message', () => [search('giraffe')], [], [], []],
    ['nothing for a search without a word', () => [search('?!')], [], [], []],
    ['messages without a word', () => [not(search('quick'))], [2, 5], [2, 5], []],
    ['a word but not another', () => [search('fox'), not(search('brown'))], [2, 3], [2], []],
    ['a word in a channel', () => [search('fox'), { operator: 'channel', operand: 'Open' }], [1, 2], [1, 2], [1, 2]],
    ['a word in a topic', () => [search('fox'), { operator: 'topic', operand: 'plans' }], [1, 3], [1], []],
    ['a word by a sender', ({ a }) => [search('quick'), { operator: 'sender', operand: a.id }], [1, 3, 4], [1, 4], []],
    ['a word in direct messages', () => [search('quick'), ['is', 'dm']], [4, 6], [4, 6], [6]],
    [
      'a word in conversations with a user',
      ({ a }) => [search('quick'), { operator: 'dm-including', operand: a.id }],
      [4, 6],
      [4, 6],
      [6],
    ],
    ['a word outside a channel', () => [search('fox'), not({ operator: 'channel', operand: 'Open' })], [3, 4], [4], []],
    ['a word in public channels', () => [search('fox'), ['channels', 'public']], [1, 2], [1, 2], [1, 2]],
    ['a word in starred messages', () => [search('fox'), ['is', 'starred']], [], [], []],
    ['a word in unread messages', () => [search('quick'), ['is', 'unread']], [1, 3, 4, 6], [1, 4, 6], [6]],
    ['a word in messages with a link', () => [search('fox'), ['has', 'link']], [3], [], []],
  ])('finds %s', async (_, narrowOf, ofAnna, ofBert, ofCarl) => {
    const narrow = narrowOf({ a: anna });
    expect([ids(await read(anna, narrow)), ids(await read(bert, narrow)), ids(await read(carl, narrow))]).toEqual([
      ofAnna,
      ofBert,
      ofCarl,
    ]);
    const all = [1, 2, 3, 4, 5, 6];
    const matching = await bert.api.get('/messages/matches_narrow', { msg_ids: all, narrow });
    expect(Object.keys(matching.body.messages).map(Number)).toEqual(ofBert);
  });

  it('pages through the matches from any anchor', async () => {
    const page = async (params: Params) => {
      const { body } = await read(anna, [search('quick')], params);
      return [ids({ body } as Answer), body.found_oldest, body.found_newest, body.found_anchor];
    };
    expect(await page({ num_before: 2 })).toEqual([[4, 6], false, true, false]);
    expect(await page({ anchor: 'oldest', num_before: 0, num_after: 2 })).toEqual([[1, 3], true, false, false]);
    expect(await page({ anchor: 3, num_before: 1, num_after: 1 })).toEqual([[1, 3, 4], true, false, true]);
    expect(await page({ anchor: 5, num_before: 1, num_after: 5 })).toEqual([[4, 6], false, true, false]);
    expect(await page({ anchor: 'first_unread', num_before: 0, num_after: 1 })).toEqual([[1, 3], true, false, true]);
  });

  it('marks the matches, in content and topic', async () => {
    const { body } = await read(bert, [search('fox dog')], { apply_markdown: false });
    expect(body.messages).toMatchObject([
      {
        id: 2,
        content: 'a lazy dog & "friends"',
        match_content: `<p>a lazy ${mark('dog')} &amp; "friends"</p>`,
        match_subject: `${mark('Fox')} hunt`,
      },
    ]);
    const links = await read(anna, [search('quick fox'), ['has', 'link']]);
    expect(links.body.messages[0].match_content).toContain('href="https://fox.example/quick"');
    const direct = await read(bert, [search('note')]);
    expect(direct.body.messages).toMatchObject([
      { match_content: `<p>a quick ${mark('note')}</p>`, match_subject: '' },
    ]);
    const without = await read(bert, [not(search('fox'))]);
    expect(without.body.messages[0]).not.toHaveProperty('match_content');
  });

  it('GET /messages/matches_narrow answers matches in the form of a page', async () => {
    const asked = { msg_ids: [1, 3, 5, 99], narrow: [search('nothing')] };
    const { body } = await bert.api.get('/messages/matches_narrow', asked);
    expect(body.messages).toEqual({
      5: { match_content: `<p>${mark('nothing')} of it</p>`, match_subject: 'general chat' },
    });
    const plain = await bert.api.get('/messages/matches_narrow', {
      msg_ids: [2, 3],
      narrow: [['has', 'link', true]].slice(1),
    });
    expect(plain.body.messages).toEqual({
      2: { match_content: '<p>a lazy dog &amp; "friends"</p>', match_subject: 'Fox hunt' },
    });
    expect((await carl.api.get('/messages/matches_narrow', { msg_ids: [1, 3], narrow: [] })).body.messages).toEqual({});
  });

  it.each<[Params, string, string]>([
    [{ narrow: [] }, 'REQUEST_VARIABLE_MISSING', "Missing 'msg_ids' argument"],
    [{ msg_ids: [1] }, 'REQUEST_VARIABLE_MISSING', "Missing 'narrow' argument"],
    [{ msg_ids: ['x'], narrow: [] }, 'BAD_REQUEST', expect.any(String) as unknown as string],
    [{ msg_ids: [1], narrow: [['search', ' ']] }, 'BAD_REQUEST', 'narrow[0][1] cannot be blank'],
    [{ msg_ids: [1], narrow: [['has', 'x']] }, 'BAD_NARROW', "Invalid narrow operator: unknown 'has' operand x"],
    [{ msg_ids: [1], narrow: [['with', 'x']] }, 'BAD_NARROW', "Invalid narrow operator: Invalid 'with' operator"],
  ])('refuses %j', async (params, code, msg) => {
    expect((await anna.api.get('/messages/matches_narrow', params)).body).toMatchObject({ result: 'error', code, msg });
  });

  it('finds messages by their state after edits, deletions, reactions and moves', async () => {
    const id = await send(anna, { to: 'Open', topic: 'zebra', content: 'an okapi' });
    const found = async (by: Member, ...narrow: unknown[]) => ids(await read(by, narrow));
    expect(await found(bert, search('okapi zebra'))).toEqual([id]);
    await anna.api.patch(`/messages/${id}`, { content: 'a tapir https://tapir.example' });
    expect([await found(bert, search('okapi')), await found(bert, search('tapir'), ['has', 'link'])]).toEqual([
      [],
      [id],
    ]);
    expect(await found(bert, ['has', 'reaction'])).toEqual([]);
    await bert.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    expect([await found(bert, ['has', 'reaction']), await found(bert, ['has', 'link'])]).toEqual([[id], [id]]);
    await bert.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    expect(await found(bert, ['has', 'reaction'])).toEqual([]);

    await anna.api.patch(`/messages/${id}`, { topic: 'gnu', send_notification_to_new_thread: false });
    expect([await found(bert, search('zebra tapir')), await found(bert, search('gnu tapir'))]).toEqual([[], [id]]);
    await anna.api.delete(`/messages/${id}`);
    const owner = await annals.owner();
    await owner.api.delete(`/messages/${id}`);
    expect(await found(bert, search('tapir'))).toEqual([]);
  });

  it('finds the present topic of a message with the operator `with`', async () => {
    const id = await send(anna, { to: 'Open', topic: 'before', content: 'moving' });
    await anna.api.patch(`/messages/${id}`, {
      topic: 'after',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    });
    const there = [{ operator: 'channel', operand: openId }, ['topic', 'before']];
    expect(ids(await read(bert, [...there, { operator: 'with', operand: id }]))).toEqual([id]);
    expect(ids(await read(bert, [{ operator: 'with', operand: id }]))).toEqual([id]);
    expect(ids(await read(bert, [['with', '4']]))).toEqual([4]);
    // A message that the reader may not read is ignored: the topic is not revealed.
    expect(ids(await read(bert, [...there, ['with', '3']]))).toEqual([]);
    for (const narrow of [[['with', '3']], [['with', '99999']], [{ operator: 'with', operand: id, negated: true }]])
      expect((await read(bert, narrow)).body).toMatchObject({ code: 'BAD_NARROW', desc: "Invalid 'with' operator" });
    expect(
      (
        await read(bert, [
          ['with', '1'],
          ['with', '2'],
        ])
      ).body,
    ).toMatchObject({ code: 'BAD_NARROW' });
  });

  it("finds messages by the reader's followed and muted topics, and topics of muted channels", async () => {
    const inOpen = async (topic: string): Promise<number> => send(anna, { to: 'Open', topic, content: topic });
    const [followed, muted, other] = [await inOpen('followed'), await inOpen('muted'), await inOpen('✔ other')];
    const policy = (topic: string, visibility_policy: number) =>
      bert.api.post('/user_topics', { stream_id: openId, topic, visibility_policy });
    await policy('Followed', 3);
    await policy('muted', 1);
    const since = async (narrow: unknown[]) => ids(await read(bert, narrow)).filter((id) => id >= followed);
    expect(await since([['is', 'followed']])).toEqual([followed]);
    expect(await since([['is', 'muted']])).toEqual([muted]);
    expect(await since([['is', 'resolved']])).toEqual([other]);
    expect(await since([not({ operator: 'is', operand: 'muted' })])).toEqual([followed, other]);
    expect(await since([['in', 'home']])).toEqual([followed, other]);
    expect(await since([not({ operator: 'in', operand: 'home' })])).toEqual([muted]);
    expect(await since([['in', 'all']])).toEqual([followed, muted, other].sort((a, b) => a - b));
    expect(await since([not({ operator: 'is', operand: 'followed' }), ['channel', 'Open']])).toEqual([muted, other]);
    await bert.api.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: openId, property: 'is_muted', value: true }],
    });
    expect(await since([['is', 'muted']])).toEqual([muted, other]);
    expect(await since([not({ operator: 'is', operand: 'muted' })])).toEqual([followed]);
    expect(await since([search('other'), ['is', 'muted']])).toEqual([other]);
    expect(
      (await anna.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['is', 'muted']] }))
        .body.messages,
    ).toEqual([]);
    const flagged = await bert.api.post('/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      op: 'add',
      flag: 'starred',
      narrow: [['is', 'followed'], search('followed')],
    });
    expect(flagged.body).toMatchObject({ updated_count: 1, last_processed_id: followed });
  });

  it('finds what is unread and not muted', async () => {
    const mute = (value: boolean) =>
      bert.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: openId, property: 'is_muted', value }],
      });
    const inOpen = async (topic: string): Promise<number> => send(anna, { to: 'Open', topic, content: topic });
    const unread = async (...home: string[][]) => ids(await read(bert, [['is', 'unread'], ...home]));
    const firstUnread = async (...home: string[][]) =>
      (await read(bert, home, { anchor: 'first_unread', num_before: 0, num_after: 0 })).body.anchor;
    await bert.api.post('/mark_all_as_read');
    await bert.api.post('/user_topics', { stream_id: openId, topic: 'Silent', visibility_policy: 1 });
    await bert.api.post('/user_topics', { stream_id: openId, topic: 'loud', visibility_policy: 2 });
    const [silent, plain, loud] = [await inOpen('silent'), await inOpen('plain'), await inOpen('loud')];
    const direct = await send(anna, { type: 'direct', to: [bert.id], content: 'hello' });
    const home = ['in', 'home'];

    await mute(false);
    expect([await unread(), await unread(home)]).toEqual([
      [silent, plain, loud, direct],
      [plain, loud, direct],
    ]);
    expect([await firstUnread(), await firstUnread(home)]).toEqual([silent, plain]);
    await mute(true);
    expect([await unread(home), await firstUnread(home)]).toEqual([[loud, direct], loud]);
    const flags = { anchor: 'oldest', num_before: 0, num_after: 100, op: 'add', flag: 'read' };
    const { body } = await bert.api.post('/messages/flags/narrow', { ...flags, narrow: [['is', 'unread'], home] });
    expect(body).toMatchObject({ updated_count: 2 });
    expect(await unread()).toEqual([silent, plain]);
  });

  it.each(['search', 'has', 'with', 'channels', 'id', 'near'])('queues refuse the operator %s', async (operator) => {
    const operand = { search: 'fox', has: 'link', channels: 'public' }[operator] ?? '1';
    const { body } = await bert.api.post('/register', { event_types: ['message'], narrow: [[operator, operand]] });
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: `Operator ${operator} not supported.` });
  });

  it('queues ignore an unknown operand of is, which reading refuses', async () => {
    const narrow = [
      ['channel', 'general'],
      ['is', 'stream'],
    ];
    expect((await bert.api.post('/register', { event_types: ['message'], narrow })).body.result).toBe('success');
    const { body } = await bert.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow });
    expect(body).toMatchObject({ result: 'error', code: 'BAD_NARROW' });
  });

  it('queues accept dm-including and is:resolved', async () => {
    const register = async (narrow: unknown[]): Promise<Answer['body']> =>
      (await bert.api.post('/register', { event_types: ['message'], narrow })).body;
    const delivered = async ({ queue_id, last_event_id }: Answer['body']): Promise<number[]> => {
      const { body } = await bert.api.get('/events', { queue_id, last_event_id, dont_block: true });
      return body.events.map((event: { message: { id: number } }) => event.message.id);
    };
    const [group, resolved] = [await register([['dm-including', carl.email]]), await register([['is', 'resolved']])];
    const inGroup = await send(anna, { type: 'direct', to: [bert.id, carl.id], content: 'x' });
    const inTopic = await send(anna, { to: 'Open', topic: '✔ done', content: 'x' });
    await send(anna, { type: 'direct', to: [bert.id], content: 'x' });
    expect([await delivered(group), await delivered(resolved)]).toEqual([[inGroup], [inTopic]]);
  });
});
