import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { EventStoreUnavailable } from '../../../src/platform/log/event-store.js';
import { csvRecords } from '../../support/csv.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { override } from '../../support/override.js';
import { accessesInLog } from '../../support/requests/recorded-accesses.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ADDRESS = '203.0.113.77';
const SEALED = { sealed: true };

interface Entry {
  readonly kind: string;
  readonly position: number;
  readonly stream: string;
  readonly data: { readonly content?: { readonly text: string } | null; readonly words?: unknown };
}

/** The texts of a column. The first record names the columns. */
const columnOf = (name: string, [names = [], ...records]: readonly (readonly string[])[]): string[] =>
  records.map((record) => record[names.indexOf(name)] ?? '');

describe('words=true of GET /audit/events', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let zoe: Member;
  let secret: number;
  /** Public, and the auditor is not subscribed. */
  let open: number;
  let isLogFull = false;

  beforeAll(async () => {
    const settings = { ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30', ANNALS_ANSWER_KIB: '512' };
    annals = await Annals.on(await ownEngines(), settings, {
      open: async (options) => {
        const engines = await openEngines(options);
        const { eventStore } = engines;
        const append: typeof eventStore.append = async (stream, ...others) => {
          if (isLogFull && stream === 'accesses') throw new EventStoreUnavailable('full', 'unknown');
          return eventStore.append(stream, ...others);
        };
        return { ...engines, eventStore: override(eventStore, { append }) };
      },
    });
    owner = await annals.owner();
    iris = await annals.user('iris');
    zoe = await annals.user('zoe');
    await iris.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      principals: [iris.id, zoe.id],
      invite_only: true,
    });
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] });
    secret = (await iris.api.get('/get_stream_id', { stream: 'secret' })).body.stream_id;
    open = (await iris.api.get('/get_stream_id', { stream: 'open' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const ask = (question: object, headers = {}) =>
    owner.api.get('/audit/events', { words: true, order: 'oldest', ...question }, { headers });
  const entries = async (question: object): Promise<readonly Entry[]> => {
    const { status, body } = await ask(question);
    expect([status, body.msg]).toEqual([200, '']);
    return body.events;
  };
  const texts = (found: readonly Entry[]) => found.map(({ data }) => data.content?.text);
  const send = async (by: Member, to: number | readonly number[], content: string): Promise<number> => {
    const addressed = typeof to === 'number' ? { type: 'channel', to, topic: 't' } : { type: 'direct', to };
    return (await by.api.post('/messages', { ...addressed, content })).body.id;
  };
  const table = async (accept: string, question: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${annals.url}/api/v1/audit/events?${new URLSearchParams({ words: 'true', order: 'oldest', ...question })}`, {
      headers: {
        accept,
        authorization: `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`,
      },
    });
  const reads = async () => (await accessesInLog(annals)).filter(({ type }) => type === 'AuditWordsRead');
  /** The readings that were recorded while `act` ran. */
  async function recordedDuring(act: () => Promise<unknown>) {
    const before = (await reads()).length;
    await act();
    return (await reads()).slice(before);
  }

  it('shows the words of every revision, and records who read those of a channel of others', async () => {
    const id = await send(iris, secret, 'one');
    await iris.api.patch(`/messages/${id}`, { content: 'two' });
    const recorded = await recordedDuring(async () => {
      expect(texts(await entries({ message_id: id }))).toEqual(['one', 'two']);
      expect(await entries({ message_id: id, kind: ['MessageSent'], words: false })).toMatchObject([
        { data: { content: SEALED } },
      ]);
      await ask({ message_id: id, kind: ['MessageEdited'] }, { 'X-Forwarded-For': ADDRESS });
    });
    const read = { channelIds: [secret], conversations: [], messageIds: [id] };
    expect(recorded).toMatchObject([
      { data: { ...read, count: 2 }, metadata: { actorId: owner.id } },
      { data: { ...read, count: 1 }, metadata: { actorId: owner.id, address: ADDRESS } },
    ]);
    const kind = ['AuditWordsRead'];
    for (const question of [{ message_id: id }, { channel_id: secret }, { actor: owner.id }])
      expect(await entries({ kind, ...question })).toMatchObject([{ kind: 'AuditWordsRead' }, {}]);
  });

  it('names the people of direct messages, who find the reading as its subjects', async () => {
    const [pair, own] = [await send(iris, [zoe.id], 'between us'), await send(iris, [owner.id], 'to you')];
    const recorded = await recordedDuring(async () => {
      expect(texts(await entries({ kind: ['MessageSent'], subject_user_id: iris.id }))).toEqual([
        'between us',
        'to you',
      ]);
    });
    const conversations = [[iris.id, zoe.id]];
    expect(recorded.map(({ data }) => data)).toEqual([{ channelIds: [], conversations, messageIds: [pair], count: 1 }]);
    expect(await entries({ kind: ['AuditWordsRead'], subject_user_id: zoe.id })).toMatchObject([
      { data: recorded[0]?.data },
    ]);
    expect(await recordedDuring(() => entries({ message_id: own }))).toEqual([]);
  });

  it('leaves no trace in conversations that the auditor is part of today', async () => {
    const here = await send(owner, 1, 'for all');
    expect(
      await recordedDuring(async () => expect(texts(await entries({ message_id: here }))).toEqual(['for all'])),
    ).toEqual([]);
    const moved = await send(owner, 1, 'moved away');
    await owner.api.patch(`/messages/${moved}`, { stream_id: open, send_notification_to_new_thread: false });
    expect(await recordedDuring(() => entries({ message_id: moved, kind: ['MessageSent'] }))).toMatchObject([
      { data: { channelIds: [1, open], messageIds: [moved] } },
    ]);
  });

  it('records what was sent before the auditor came to a channel that hides its past', async () => {
    await iris.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'late' }],
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const late = (await iris.api.get('/get_stream_id', { stream: 'late' })).body.stream_id;
    const before = await send(iris, late, 'before');
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'late' }], principals: [owner.id] });
    const after = await send(iris, late, 'after');
    await iris.api.patch(`/messages/${before}`, { content: 'before, edited' });
    const recorded = await recordedDuring(() => entries({ channel_id: late, kind: ['MessageSent', 'MessageEdited'] }));
    expect(after).toBeGreaterThan(before);
    expect(recorded).toMatchObject([{ data: { channelIds: [late], messageIds: [before], count: 2 } }]);
  });

  it('has null for words whose key is destroyed, and nobody has read them', async () => {
    const id = await send(iris, open, 'soon gone');
    await iris.api.patch(`/messages/${id}`, { content: 'going' });
    expect((await owner.api.delete(`/messages/${id}`)).status).toBe(200);
    const recorded = await recordedDuring(async () => {
      const found = await entries({ message_id: id });
      expect(found.map(({ kind, data }) => [kind, data.content])).toEqual([
        ['MessageSent', null],
        ['MessageEdited', null],
        ['MessageDeleted', undefined],
      ]);
    });
    expect(recorded).toEqual([]);
  });

  it('has nothing that is its writer’s alone, except for the writer', async () => {
    const text = { title: 'mine', content: 'my own words' };
    const draft = { type: 'private', to: [iris.id], topic: '', content: 'my own words', timestamp: 1 };
    for (const { api } of [iris, owner]) {
      await api.post('/saved_snippets', text);
      await api.post('/drafts', { drafts: [draft] });
      await api.post('/users/me/status', { status_text: 'away' });
    }
    const recorded = await recordedDuring(async () => {
      const kind = ['SavedSnippetCreated', 'DraftCreated', 'UserStatusTextSet'];
      const [own, others] = [await entries({ kind, actor: owner.id }), await entries({ kind, actor: iris.id })];
      expect(own).toMatchObject([
        { data: { text } },
        { data: { words: { text: 'my own words' } } },
        { data: { words: { text: 'away' } } },
      ]);
      expect(others).toMatchObject([
        { data: { text: SEALED } },
        { data: { words: SEALED } },
        { data: { words: { text: 'away' } } },
      ]);
    });
    expect(recorded).toEqual([]);
  });

  it('records a page of 100 at once, and each part of a table before it is written', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 150; at++) ids.push(await send(iris, secret, `words ${at}`));
    const question = {
      channel_id: secret,
      kind: ['MessageSent'],
      after: (await ask({ message_id: ids[0] })).body.events[0].position - 1,
    };
    const ofPage = await recordedDuring(async () =>
      expect(texts(await entries({ ...question, limit: 100 }))).toHaveLength(100),
    );
    expect(ofPage).toMatchObject([{ data: { messageIds: ids.slice(0, 100), count: 100 } }]);
    const asked = { channel_id: String(secret), kind: JSON.stringify(question.kind), after: String(question.after) };
    const wanted = ids.map((_, at) => `words ${at}`);
    for (const accept of ['application/x-ndjson', 'text/csv']) {
      const recorded = await recordedDuring(async () => {
        const answer = await (await table(accept, asked)).text();
        const found: Entry['data'][] = accept.endsWith('json')
          ? answer
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line).data)
          : columnOf('data', csvRecords(answer)).map((text) => JSON.parse(text));
        expect(found.map(({ content }) => content?.text)).toEqual(wanted);
      });
      expect(recorded.map(({ data }) => Reflect.get(data, 'messageIds'))).toEqual([ids.slice(0, 100), ids.slice(100)]);
    }
  });

  it('records only what has room in the answer', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 60; at++) ids.push(await send(iris, secret, 'w'.repeat(9000)));
    let answered = 0;
    const recorded = await recordedDuring(async () => {
      const { events, found_end } = (
        await ask({ channel_id: secret, kind: ['MessageSent'], order: 'newest', limit: 60 })
      ).body;
      expect(found_end).toBe(false);
      answered = events.length;
    });
    expect(answered).toBeLessThan(60);
    expect(recorded).toMatchObject([{ data: { messageIds: ids.slice(-answered), count: answered } }]);
  });

  it('shows none while the log takes no event, in any format', async () => {
    const id = await send(iris, secret, 'whispered');
    isLogFull = true;
    try {
      const refusal = {
        code: 'SERVICE_UNAVAILABLE',
        msg: 'The words are not shown, because reading them cannot be recorded now',
      };
      await expectRefusal(annals, () => ask({ message_id: id }), refusal, 503);
      for (const accept of ['application/x-ndjson', 'text/csv']) {
        const answer = await table(accept, { message_id: String(id) });
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
        expect(await answer.json()).toEqual({ result: 'error', ...refusal });
      }
      expect(await entries({ message_id: id, words: false })).toMatchObject([{ data: { content: SEALED } }]);
    } finally {
      isLogFull = false;
    }
    expect(texts(await entries({ message_id: id, kind: ['MessageSent'] }))).toEqual(['whispered']);
  });

  it('is for auditors alone', async () => {
    await expectRefusal(annals, () => iris.api.get('/audit/events', { words: true }), {
      msg: 'You may not read the audit',
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });
});

it('a server that records no accesses shows no words', async () => {
  const annals = await Annals.start({ ANNALS_ACCESS_DAYS: '0' });
  try {
    const { api } = await annals.owner();
    const msg = 'Words are not shown, because this server records no accesses (ANNALS_ACCESS_DAYS is 0)';
    await expectRefusal(annals, () => api.get('/audit/events', { words: true }), msg);
    expect((await api.get('/audit/events', { words: false })).status).toBe(200);
  } finally {
    await annals.stop();
  }
});
