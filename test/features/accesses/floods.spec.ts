import { describe, expect, it } from '@jest/globals';
import type { AccessEvent, AuditRead, MoreAccesses } from '../../../src/events/accesses/accesses.events.js';
import type { Access } from '../../../src/features/accesses/domain/access.js';
import { GatheredAccesses } from '../../../src/features/accesses/domain/gathered-accesses.js';

const guessAt = (userId: number | null, account = `account ${userId}`): Access => ({
  type: 'LoginFailed',
  data: { userId, secret: 'password', reason: 'AUTHENTICATION_FAILED', words: { account } },
});
const question = (data: Partial<AuditRead['data']>): Access => ({
  type: 'AuditRead',
  data: {
    ...{ of: 'events', format: 'json', eventId: null, messageId: null, channelId: null, subjectId: null },
    ...{ actorId: null, kinds: [], from: null, to: null, texts: [] },
    ...data,
  },
});
const refused = (route: string, ids: Readonly<Record<string, number>> = {}): Access => ({
  type: 'ActRefused',
  data: { method: 'PATCH', route, ids, reason: 'ADMINISTRATOR_REQUIRED', message: '' },
});

type Told = AccessEvent & { readonly actorId: number | null; readonly address?: string | undefined };

/** A minute's accesses: of nobody from a network, or of an account. */
function minute() {
  const gathered = new GatheredAccesses();
  return {
    from: (network: string, ...accesses: readonly Access[]) => {
      const by = { actorId: null, client: 'test', correlationId: 'c', address: network };
      for (const access of accesses) gathered.add(access, by, { source: `network ${network}`, network, at: 1 });
    },
    by: (actorId: number, ...accesses: readonly Access[]) => {
      const by = { actorId, client: 'test', correlationId: 'c', address: 'a' };
      for (const access of accesses) gathered.add(access, by, { source: `user ${actorId}`, network: 'a', at: 1 });
    },
    events: (now = 2): readonly Told[] =>
      gathered.take(now).map(({ event, by: { actorId, address } }) => ({ ...event, actorId, address })),
  };
}

const numbers = (count: number, first = 1): number[] => Array.from({ length: count }, (_, at) => first + at);
const isMore = (event: AccessEvent): event is MoreAccesses => event.type === 'MoreAccesses';
const moreIn = (events: readonly AccessEvent[]): MoreAccesses | undefined => events.filter(isMore)[0];
const more = (of: string, data: object) => ({ of, accounts: [], otherAccounts: 0, kinds: [], otherKinds: 0, ...data });

describe('guesses', () => {
  it('at an account that exists are told behind a flood of guesses at others, from the same address', () => {
    const { from, events } = minute();
    from('a', ...numbers(200).map((n) => guessAt(null, `junk ${n}`)));
    from('a', ...numbers(5).map(() => guessAt(7)));
    const all = events();
    expect(all).toHaveLength(20 + 1 + 1);
    expect(all.filter(({ data }) => Reflect.get(data, 'userId') === 7)).toMatchObject([{ data: { count: 5 } }]);
    expect(moreIn(all)?.data).toMatchObject(
      more('LoginFailed', { count: 180, kinds: [{ kind: 'no such account', count: 180 }] }),
    );
  });

  it('at an account are told behind a flood from everywhere', () => {
    const { from, events } = minute();
    for (const n of numbers(10_000)) from(`${n}`, guessAt(null, `junk ${n}`));
    from('a', guessAt(7));
    const all = events();
    expect(all.filter(({ data }) => Reflect.get(data, 'userId') === 7)).toHaveLength(1);
    expect(all).toHaveLength(100 + 50 + 1 + 1);
  });

  it('at one account leave room for those at another', () => {
    const { from, events } = minute();
    for (const n of numbers(1000)) from(`${n}`, guessAt(7));
    from('a', guessAt(8));
    const all = events();
    const told = all.filter(({ type }) => type === 'LoginFailed').map(({ data }) => Reflect.get(data, 'userId'));
    expect(told).toEqual([...numbers(20).map(() => 7), 8]);
    const counted = all.flatMap((event) => (isMore(event) ? event.data.accounts : []));
    expect(counted.every(({ userId }) => userId === 7)).toBe(true);
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(980);
  });

  it('at one account are one trace, however it is spelled', () => {
    const { from, events } = minute();
    from('a', guessAt(7, 'iris'), guessAt(7, 'IRIS'), guessAt(7, 'Iris'));
    expect(events()).toMatchObject([{ data: { userId: 7, count: 3, words: { account: 'iris' } } }]);
  });

  it('that have no room are counted by account, up to a hundred of them', () => {
    const { from, events } = minute();
    from('a', ...numbers(250).map((n) => guessAt(n)));
    expect(moreIn(events())?.data).toMatchObject(
      more('LoginFailed', {
        count: 150,
        accounts: numbers(100, 101).map((userId) => ({ userId, count: 1 })),
        otherAccounts: 50,
        kinds: [{ kind: 'account', count: 150 }],
      }),
    );
  });

  it('leave room for logins, and logins for them', () => {
    const { from, by, events } = minute();
    for (const n of numbers(1000)) from(`${n}`, guessAt(n), guessAt(null, `junk ${n}`));
    by(7, { type: 'LoggedIn', data: { userId: 7 } });
    expect(events().filter(({ type }) => type === 'LoggedIn')).toMatchObject([{ data: { userId: 7 }, actorId: 7 }]);
  });
});

describe('questions to the audit', () => {
  const harmless = numbers(100).map((from) => question({ from }));
  const asked = (events: readonly Told[], name: string) =>
    events.flatMap((event) => (isMore(event) ? [] : (Reflect.get(event.data, name) ?? [])));

  it.each(['subjectId', 'actorId', 'messageId', 'channelId'])(
    'about one thing are told behind a flood of harmless ones: %s',
    (name) => {
      const { by, events } = minute();
      by(1, ...harmless, question({ [name]: 9 }));
      const all = events();
      expect(asked(all, name)).toEqual([9]);
      expect(moreIn(all)?.data).toMatchObject(more('AuditRead', { count: 80, kinds: [{ kind: 'other', count: 80 }] }));
    },
  );

  it('about one account leave room for those about another', () => {
    const { by, events } = minute();
    by(1, ...numbers(100).map((from) => question({ subjectId: 8, from })), question({ subjectId: 9 }));
    const all = events();
    expect(asked(all, 'subjectId')).toEqual([8, 8, 8, 8, 8, 9]);
    expect(moreIn(all)?.data).toMatchObject({
      accounts: [{ userId: 8, count: 95 }],
      kinds: [{ kind: 'account', count: 95 }],
    });
  });

  it('about the asker’s own account are harmless', () => {
    const { by, events } = minute();
    by(1, ...numbers(100).map((from) => question({ subjectId: 1, from })), question({ subjectId: 9 }));
    const all = events();
    expect(asked(all, 'subjectId')).toEqual([...numbers(20).map(() => 1), 9]);
    expect(moreIn(all)?.data).toMatchObject({ accounts: [], kinds: [{ kind: 'other', count: 80 }] });
  });

  it('say whom they were about, if many accounts were asked about', () => {
    const { by, events } = minute();
    by(1, ...numbers(30, 100).map((subjectId) => question({ subjectId, actorId: 1 })));
    expect(moreIn(events())?.data.accounts).toEqual(numbers(10, 120).map((userId) => ({ userId, count: 1 })));
  });
});

it('refusals of one operation leave room for those of another', () => {
  const { by, events } = minute();
  by(1, ...numbers(100).map((user) => refused('/users/:user', { user })), refused('/realm'));
  const all = events();
  expect(all.flatMap(({ data }) => Reflect.get(data, 'route') ?? [])).toEqual([
    ...numbers(5).map(() => '/users/:user'),
    '/realm',
  ]);
  expect(moreIn(all)?.data).toMatchObject(more('ActRefused', { kinds: [{ kind: 'PATCH /users/:user', count: 95 }] }));
});

it('a flood of all kinds is remembered and written within bounds', () => {
  const { from, by, events } = minute();
  for (const n of numbers(5000)) {
    from(`${n}`, guessAt(n), guessAt(null, `junk ${n}`));
    by(
      n,
      ...[question({}), question({ subjectId: n + 1 }), question({ messageId: n }), question({ channelId: n })],
      ...[refused('/realm'), { type: 'LoggedIn', data: { userId: n } } as const],
    );
    by(n, { type: 'KeyUsedElsewhere', data: { userId: n, account: 'person', apiKeyId: `${n}`, isFirst: true } });
  }
  const all = events();
  expect(all).toHaveLength(2000 + 5 * 51);
  // Nothing is lost: each is told or counted.
  expect(all.reduce((sum, { data: { count } }) => sum + count, 0)).toBe(5000 * 9);
  expect(events()).toEqual([]);
});

it('room is free again after a minute without', () => {
  const { from, events } = minute();
  from('a', ...numbers(30).map((n) => guessAt(null, `junk ${n}`)));
  for (const now of [2, 60_002, 120_002]) events(now);
  from('a', guessAt(null, 'later'));
  expect(events(120_003)).toMatchObject([{ type: 'LoginFailed', data: { words: { account: 'later' } } }]);
});
