import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessLog } from '../../../src/features/accesses/services/access-log.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a flood of requests', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30' });
    owner = await annals.owner();
    iris = await annals.user('iris');
  });
  afterAll(() => annals.stop());

  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const logIn = (username: string) =>
    annals.api.post('/fetch_api_key', { username, password: 'a guess' }, from('203.0.113.77'));
  const recorded = () => annals.app.get(AccessLog).flush();
  const counted = (events: readonly { readonly data: object }[]): number =>
    events.reduce((sum, { data }) => sum + Number(Reflect.get(data, 'count')), 0);

  const found = async (question: object, headers = {}) => {
    const { status, body } = await owner.api.get('/audit/events', { ...question }, { headers });
    expect([status, body.msg]).toEqual([200, '']);
    return body.events;
  };

  it('of logins to accounts that do not exist hides no guess at one that does, from the same address', async () => {
    for (let n = 0; n < 200; n += 20)
      await Promise.all(Array.from({ length: 20 }, (_, at) => logIn(`junk${n + at}@example.com`)));
    for (const email of [iris.email, iris.email, iris.email.toUpperCase(), iris.email, iris.email]) await logIn(email);
    await recorded();
    const guesses = await found({ kind: ['LoginFailed'], subject_user_id: iris.id });
    expect(counted(guesses)).toBe(5);
    expect(guesses[0]).toMatchObject({ address: '203.0.113.77', data: { userId: iris.id } });

    const all = await found({ kind: ['LoginFailed', 'MoreAccesses'], address: '203.0.113.77' });
    expect(counted(all)).toBe(205);
    const more = all.filter(({ kind }: { kind: string }) => kind === 'MoreAccesses');
    expect(more[0]).toMatchObject({ data: { of: 'LoginFailed', accounts: [], kinds: [{ kind: 'no such account' }] } });
  });

  it('of guesses at more accounts than are told says which ones they were, and is found by each', async () => {
    const gathered = annals.app.get(AccessLog);
    const by = { actorId: null, client: 'test', correlationId: 'flood', address: '203.0.113.78' };
    const data = { secret: 'password', reason: 'AUTHENTICATION_FAILED', words: { account: 'x' } } as const;
    // Accounts that are only numbers stand for a large organization.
    for (let n = 0; n < 100; n++) gathered.record({ type: 'LoginFailed', data: { userId: 1000 + n, ...data } }, by);
    gathered.record({ type: 'LoginFailed', data: { userId: iris.id, ...data } }, by);
    await recorded();
    const more = await found({ kind: ['MoreAccesses'], subject_user_id: iris.id });
    expect(more).toMatchObject([{ data: { of: 'LoginFailed', accounts: [{ userId: iris.id, count: 1 }], count: 1 } }]);
  });

  it('of harmless questions hides none about another account', async () => {
    for (let since = 1; since <= 100; since++) await found({ since, limit: 1 });
    await found({ subject_user_id: iris.id, words: true, kind: ['MessageSent'] });
    await recorded();
    const questions = await found({ kind: ['AuditRead'], actor: owner.id, limit: 1000 });
    const about = questions.filter(({ data }: { data: object }) => Reflect.get(data, 'subjectId') === iris.id);
    expect(about.map(({ data }: { data: object }) => Reflect.get(data, 'kinds'))).toContainEqual(['MessageSent']);
    const [more] = await found({ kind: ['MoreAccesses'], actor: owner.id });
    expect(more).toMatchObject({ data: { of: 'AuditRead', accounts: [], kinds: [{ kind: 'other' }] } });
  });

  it('of questions for the words of a message leaves its newest page as it is', async () => {
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
    const sent = { type: 'channel', to: 'secret', topic: 't', content: 'one' };
    const { id } = (await iris.api.post('/messages', sent)).body;
    await iris.api.patch(`/messages/${id}`, { content: 'two' });
    for (let n = 0; n < 50; n++) await found({ message_id: id, words: true });
    const newest = await found({ message_id: id, limit: 10 });
    expect(newest.map(({ kind }: { kind: string }) => kind)).toEqual(['MessageEdited', 'MessageSent']);

    const reading = { kind: 'AuditWordsRead', actor: { user_id: owner.id }, data: { messageIds: [id] } };
    const readings = await found({ message_id: id, kind: ['AuditWordsRead'] });
    expect(readings).toEqual(Array.from({ length: 50 }, () => expect.objectContaining({ kind: 'AuditWordsRead' })));
    expect(readings[0]).toMatchObject(reading);
    const both = await found({ message_id: id, kind: ['AuditWordsRead', 'MessageEdited'], limit: 60 });
    expect(both).toHaveLength(51);
  });
});
