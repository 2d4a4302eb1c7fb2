import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RENDERER_VERSION } from '../../../src/features/markdown/render-markdown.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ALL = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
const OF_TOPIC = ['topic_wildcard_mentioned', 'wildcard_mentioned'];

describe('mentions in a message', () => {
  let annals: Annals;
  let owner: Member;
  let anna: Member;
  let bert: Member;
  let carl: Member;
  let channel = 0;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [anna, bert, carl] = await Promise.all([annals.user('anna'), annals.user('bert'), annals.user('carl')]);
  });
  afterAll(() => annals.stop());

  beforeEach(async () => {
    const name = `channel ${++made}`;
    const principals = [anna.id, bert.id];
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    channel = (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
  });

  const post = (who: Member, content: string, topic = 'lunch', to = channel) =>
    who.api.post('/messages', { type: 'channel', to, topic, content });
  const send = async (who: Member, content: string, topic?: string): Promise<number> => {
    const { status, body } = await post(who, content, topic);
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    return body.id;
  };
  const messageOf = async (who: Member, id: number) => (await who.api.get(`/messages/${id}`)).body.message;
  const flagsOf = async (who: Member, id: number): Promise<string[]> =>
    (await messageOf(who, id)).flags.filter((flag: string) => flag !== 'read');
  const found = async (who: Member, operand: string): Promise<number[]> => {
    const narrow = [{ operator: 'is', operand }];
    const { body } = await who.api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
    return body.messages.map(({ id }: { id: number }) => id);
  };
  const edit = (who: Member, id: number, content: string) => who.api.patch(`/messages/${id}`, { content });
  const unreadMentions = async (who: Member): Promise<number[]> => {
    const types = ['message', 'update_message_flags'];
    return (await EventQueue.register(who.api, { event_types: types })).state.unread_msgs.mentions;
  };
  const group = async (name: string, members: readonly number[], more = {}): Promise<number> =>
    (await owner.api.post('/user_groups/create', { name, description: '', members, ...more })).body.group_id;
  const crowd = async (): Promise<Member[]> =>
    Promise.all(Array.from({ length: 14 }, (_, n) => annals.user(`crowd${++made}-${n}`)));

  it('of a user are rendered, flagged, found, counted as unread, and told', async () => {
    const [toBert, toAnna] = [await EventQueue.register(bert.api), await EventQueue.register(anna.api)];
    const before = await annals.head();
    const id = await send(anna, 'Hi @**Bert** and @_**ANNA**');
    const events = await annals.events(undefined, before);
    expect(events.map(({ type, stream }) => `${type} ${stream}`)).toEqual([
      'MessageSent messages',
      // The sender follows the topic for starting it, the mentioned user for the mention.
      `TopicPolicySet user-${anna.id}`,
      `TopicPolicySet user-${bert.id}`,
    ]);
    expect(events[0]?.data).toMatchObject({
      content: { mentions: { userIds: [bert.id] }, rendererVersion: RENDERER_VERSION },
    });

    expect((await messageOf(bert, id)).content).toBe(
      `<p>Hi <span class="user-mention" data-user-id="${bert.id}">@bert</span> and <span class="user-mention silent" data-user-id="${anna.id}">anna</span></p>`,
    );
    expect([await flagsOf(bert, id), await flagsOf(anna, id), await flagsOf(carl, id)]).toEqual([
      ['mentioned'],
      [],
      ['historical'],
    ]);
    expect((await toBert.drain()).find(({ type }) => type === 'message')?.flags).toEqual(['mentioned']);
    expect((await toAnna.drain()).find(({ type }) => type === 'message')?.flags).toEqual([]);
    expect([await found(bert, 'mentioned'), await found(anna, 'mentioned')]).toEqual([[id], []]);
    expect([await unreadMentions(bert), await unreadMentions(anna)]).toEqual([[id], []]);

    await bert.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    expect(await unreadMentions(bert)).toEqual([]);
    await bert.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' });
    const [unread] = (await toBert.drain()).filter(({ op, flag }) => op === 'remove' && flag === 'read');
    expect(unread?.message_details).toEqual({
      [id]: { type: 'stream', stream_id: channel, topic: 'lunch', mentioned: true },
    });
    expect(await unreadMentions(bert)).toEqual([id]);
  });

  it('change with an edit, for every reader', async () => {
    const id = await send(anna, 'Hi @**Bert**');
    const [toBert, toAnna] = [await EventQueue.register(bert.api), await EventQueue.register(anna.api)];
    await edit(anna, id, 'Hi @**Anna**');
    expect([await flagsOf(bert, id), await flagsOf(anna, id)]).toEqual([[], ['mentioned']]);
    await edit(anna, id, 'Hi @**all**');
    expect([await flagsOf(bert, id), await flagsOf(anna, id)]).toEqual([ALL, ALL]);
    const flags = (events: Awaited<ReturnType<EventQueue['drain']>>) =>
      events.filter(({ type }) => type === 'update_message').map((event) => event.flags);
    expect(flags(await toBert.drain())).toEqual([[], ALL]);
    expect(flags(await toAnna.drain())).toEqual([['mentioned'], ALL]);
    expect((await found(bert, 'mentioned')).at(-1)).toBe(id);
    await edit(anna, id, 'Hi');
    expect((await found(bert, 'mentioned')).includes(id)).toBe(false);
    // The edit removes the mention from flags and unread mentions, too.
    expect([await flagsOf(bert, id), await unreadMentions(bert)].flat()).not.toContain(id);
  });

  it('of a group are for its direct and indirect members at the time of writing', async () => {
    const inner = await group(`inner ${made}`, [bert.id]);
    const name = `outer ${made}`;
    const outer = await group(name, [anna.id], { subgroups: [inner] });
    const first = await send(anna, `@*${name}*`);
    await owner.api.post(`/user_groups/${inner}/members`, { delete: [bert.id] });
    const second = await send(anna, `@*${name}*`);
    expect([await flagsOf(bert, first), await flagsOf(bert, second)]).toEqual([['mentioned'], []]);
    expect([await flagsOf(anna, first), await flagsOf(anna, second)]).toEqual([['mentioned'], ['mentioned']]);
    const mentioned = await found(bert, 'mentioned');
    expect([mentioned.includes(first), mentioned.includes(second)]).toEqual([true, false]);
    await edit(anna, first, `again @*${name}*`);
    expect(await flagsOf(bert, first)).toEqual([]);
    expect((await messageOf(bert, second)).content).toBe(
      `<p><span class="user-group-mention" data-user-group-id="${outer}">@${name}</span></p>`,
    );
  });

  it('of a group are refused if the group does not permit the writer, or is a system group', async () => {
    const name = `closed ${made}`;
    await group(name, [bert.id], { can_mention_group: { direct_members: [bert.id], direct_subgroups: [] } });
    const before = await annals.head();
    for (const called of [name, 'role:members']) {
      const { status, body } = await post(anna, `@*${called}*`);
      expect({ status, code: body.code, msg: body.msg }).toEqual({
        status: 400,
        code: 'BAD_REQUEST',
        msg: `You are not allowed to mention user group '${called}'.`,
      });
    }
    expect(await annals.events(undefined, before)).toEqual([]);
    const id = await send(anna, `@_*${name}*`);
    expect(await flagsOf(bert, id)).toEqual([]);
    expect((await edit(anna, id, `@*${name}*`)).body.code).toBe('BAD_REQUEST');
    expect(await flagsOf(bert, await send(bert, `@*${name}*`))).toEqual(['mentioned']);
  });

  it('of a system group show what people call it', async () => {
    const { content } = await messageOf(anna, await send(anna, '@_*role:administrators* and @_*role:fullmembers*'));
    expect(content).toBe(
      '<p><span class="user-group-mention silent" data-user-group-id="6">Administrators</span> and ' +
        '<span class="user-group-mention silent" data-user-group-id="4">Full members</span></p>',
    );
  });

  it('of a channel are for all subscribers, and need permission in a large channel', async () => {
    const id = await send(bert, '@**channel** hello');
    expect([await flagsOf(anna, id), await flagsOf(bert, id), await flagsOf(carl, id)]).toEqual([
      ALL,
      ALL,
      ['historical'],
    ]);
    expect(await unreadMentions(anna)).toContain(id);
    await anna.api.post('/user_topics', { stream_id: channel, topic: 'lunch', visibility_policy: 1 });
    expect(await unreadMentions(anna)).not.toContain(id);

    const principals = (await crowd()).map((member) => member.id);
    const name = (await anna.api.get(`/streams/${channel}`)).body.stream.name;
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    const before = await annals.head();
    for (const { status, body } of [await post(bert, '@**all**'), await edit(bert, id, '@**everyone**')])
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' });
    expect(await annals.events(undefined, before)).toEqual([]);
    expect((await post(bert, '@_**all**')).status).toBe(200);
    expect((await post(owner, '@**all**')).status).toBe(200);
  });

  it('of a topic are for all its participants, and need permission in a large topic', async () => {
    const name = (await anna.api.get(`/streams/${channel}`)).body.stream.name;
    await carl.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    await send(bert, 'I write', 'talk');
    const id = await send(anna, '@**topic** hello', 'talk');
    expect([await flagsOf(anna, id), await flagsOf(bert, id), await flagsOf(carl, id)]).toEqual([
      OF_TOPIC,
      OF_TOPIC,
      [],
    ]);
    await carl.api.post(`/messages/${id}/reactions`, { emoji_name: 'smile' });
    expect(await flagsOf(carl, await send(anna, '@**topic** again', 'talk'))).toEqual(OF_TOPIC);
    expect([(await found(bert, 'mentioned')).includes(id), (await found(carl, 'mentioned')).includes(id)]).toEqual([
      true,
      false,
    ]);

    const others = await crowd();
    const principals = others.map((member) => member.id);
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    for (const one of others) await send(one, 'I write too', 'talk');
    for (const { status, body } of [
      await post(anna, '@**topic**', 'talk'),
      await edit(anna, id, '@**topic** hello all'),
    ])
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' });
    expect((await post(anna, '@**topic**', 'other talk')).status).toBe(200);
  });

  it('of all in a conversation are for all its members', async () => {
    const { body } = await anna.api.post('/messages', {
      type: 'direct',
      to: [bert.id],
      content: '@**all** @**topic**',
    });
    expect([await flagsOf(anna, body.id), await flagsOf(bert, body.id)]).toEqual([ALL, ALL]);
    expect((await found(bert, 'mentioned')).at(-1)).toBe(body.id);
    expect((await unreadMentions(bert)).at(-1)).toBe(body.id);
  });

  it('link only to channels that the writer sees', async () => {
    const hidden = `hidden ${made}`;
    await carl.api.post('/users/me/subscriptions', { subscriptions: [{ name: hidden }], invite_only: true });
    const { stream_id } = (await carl.api.get('/get_stream_id', { stream: hidden })).body;
    const first = await send(anna, `#**channel ${made}** #**${hidden}**`);
    expect((await messageOf(anna, first)).content).toBe(
      `<p><a class="stream" data-stream-id="${channel}" href="/#narrow/channel/${channel}-channel-${made}">#channel ${made}</a> #<strong>${hidden}</strong></p>`,
    );
    const { body } = await carl.api.post('/messages', { type: 'direct', to: [anna.id], content: `#**${hidden}>x**` });
    expect((await messageOf(anna, body.id)).content).toBe(
      `<p><a class="stream-topic" data-stream-id="${stream_id}" href="/#narrow/channel/${stream_id}-hidden-${made}/topic/x">#${hidden} &gt; x</a></p>`,
    );
    const to = await send(anna, `#**channel ${made}>lunch**`);
    expect((await messageOf(anna, to)).content).toContain(`/topic/lunch/with/${first}"`);
  });

  it('find names in both Unicode spellings, and channels whose names look like a place', async () => {
    const idOf = async (name: string): Promise<number> => {
      await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
      return (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
    };
    const [cafe, whole] = [await idOf(`café ${made}`), await idOf(`a>b ${made}`)];
    const content = async (text: string) => (await messageOf(anna, await send(anna, text))).content;
    const places = `#**cafe\u0301 ${made}** #**cafe\u0301 ${made}>x** #**a>b ${made}**`;
    const shown = await content(places);
    expect(shown.match(/data-stream-id="(\d+)"/g)).toEqual([cafe, cafe, whole].map((id) => `data-stream-id="${id}"`));
    expect(shown).toContain(`>#café ${made}</a>`);
    expect(shown).toContain(`>#a&gt;b ${made}</a>`);
    const first = await idOf('a');
    expect(await content(`#**a>b ${made}**`)).toContain(`data-stream-id="${first}"`);
    expect(await content(`|x|#**a**|\n|-|-|\n|x|y|#**a**|`)).toContain(`data-stream-id="${first}"`);
  });

  it('include alert words that the reader had at the time of writing', async () => {
    await bert.api.post('/users/me/alert_words', { alert_words: ['Gouda', 'fig'] });
    const toBert = await EventQueue.register(bert.api);
    const first = await send(anna, 'some GOUDA, please');
    const second = await send(anna, 'goudas and figs');
    const third = await send(anna, '```\nfig\n```');
    expect([await flagsOf(bert, first), await flagsOf(bert, second), await flagsOf(bert, third)]).toEqual([
      ['has_alert_word'],
      [],
      [],
    ]);
    expect(await flagsOf(anna, first)).toEqual([]);
    expect(await found(bert, 'alerted')).toEqual([first]);
    await bert.api.delete('/users/me/alert_words', { alert_words: ['Gouda'] });
    expect(await flagsOf(bert, first)).toEqual(['has_alert_word']);
    const fourth = await send(anna, 'gouda');
    await edit(anna, first, 'some gouda');
    await edit(anna, second, 'a fig');
    expect([await flagsOf(bert, first), await flagsOf(bert, second), await flagsOf(bert, fourth)]).toEqual([
      [],
      ['has_alert_word'],
      [],
    ]);
    expect(await found(bert, 'alerted')).toEqual([second]);
    const told = (await toBert.drain()).filter(({ type }) => type === 'message' || type === 'update_message');
    expect(told.map(({ flags }) => flags)).toEqual([['has_alert_word'], [], [], [], [], ['has_alert_word']]);
  });

  it.each(['c++', '!!!', 'two words'])('include the alert word %s, whatever characters it has', async (word) => {
    await bert.api.post('/users/me/alert_words', { alert_words: [word] });
    const id = await send(anna, `I say (${word.toUpperCase()}), @**Bert**`);
    const other = await send(anna, `I say x${word}x, @**Bert**`);
    expect([await flagsOf(bert, id), await flagsOf(bert, other)]).toEqual([
      ['mentioned', 'has_alert_word'],
      ['mentioned'],
    ]);
    const among = async (...terms: object[]): Promise<number[]> => {
      const narrow = [{ operator: 'channel', operand: channel }, ...terms];
      const { body } = await bert.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
      return body.messages.map((message: { id: number }) => message.id);
    };
    const is = (operand: string, negated = false) => ({ operator: 'is', operand, negated });
    expect(await among(is('alerted'), is('mentioned'))).toEqual([id]);
    expect(await among(is('alerted', true), is('mentioned'))).toEqual([other]);
    expect(await among(is('mentioned', true))).toEqual([]);
    await bert.api.delete('/users/me/alert_words', { alert_words: [word] });
  });

  it('do not block other requests while many alert words are searched', async () => {
    const words = Array.from({ length: 500 }, (_, at) => `rare${at}`);
    await carl.api.post('/users/me/alert_words', { alert_words: words });
    const narrow = [{ operator: 'is', operand: 'alerted' }];
    const answered: string[] = [];
    const long = carl.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
    await Promise.all([
      long.then(() => answered.push('many words')),
      anna.api.get('/users/me').then(() => answered.push('somebody else')),
    ]);
    expect(answered).toEqual(['somebody else', 'many words']);
    await carl.api.delete('/users/me/alert_words', { alert_words: words });
  });

  it('decide which messages a queue with is:mentioned gets', async () => {
    const narrow = [['is', 'mentioned']];
    const toBert = await EventQueue.register(bert.api, { event_types: ['message'], narrow });
    await send(anna, 'nobody');
    const id = await send(anna, '@**Bert**');
    expect((await toBert.drain()).map(({ message }) => message.id)).toEqual([id]);
  });
});
