import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

type Question = Readonly<Record<string, unknown>>;

interface Part {
  readonly time: string;
  readonly events: number;
}

describe('GET /audit/activity', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ACCESS_DAYS: '0' });
    owner = await annals.owner();
    iris = await annals.user('iris');
    for (let count = 0; count < 30; count += 1)
      await iris.api.post('/messages', { type: 'channel', to: 'general', topic: 'plans', content: `${count}` });
  });
  afterAll(() => annals.stop());

  const ask = async (
    question: Question,
  ): Promise<{ readonly parts: readonly Part[]; readonly cursor: number | null }> => {
    const { status, body } = await owner.api.get('/audit/activity', question);
    expect([status, body.msg]).toEqual([200, '']);
    return body;
  };

  /** Counted by hand from the events that the same question finds. */
  async function expected(question: Question, seconds: number): Promise<readonly Part[]> {
    const { events } = (await owner.api.get('/audit/events', { ...question, limit: 1000 })).body;
    const counts = new Map<string, number>();
    for (const { time } of events as readonly { time: string }[]) {
      const begin = Math.floor(Date.parse(time) / (seconds * 1000)) * seconds * 1000;
      const name = new Date(begin).toISOString();
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].sort().map(([time, count]) => ({ time, events: count }));
  }

  it.each([
    ['all', {}],
    ['those of an actor', { actor: 'iris' }],
    ['those of kinds', { kind: ['MessageSent', 'UserCreated'] }],
    ['those of a topic', { channel_id: 1, topic: 'plans' }],
    ['those up to a time', { until: '2020-01-01' }],
    ['those from an address', { address: '127.0.0.1' }],
  ])('counts what GET /audit/events finds: %s', async (_, question) => {
    for (const width of [1, 3600]) {
      const { parts, cursor } = await ask({ ...question, width });
      expect(cursor).toBeNull();
      expect(parts).toEqual(await expected(question, width));
    }
  });

  it('goes on behind a cursor', async () => {
    const sent = { kind: ['MessageSent'] };
    const { events } = (await owner.api.get('/audit/events', { ...sent, order: 'oldest', limit: 10 })).body;
    const all = (await ask({ ...sent, width: 1_000_000 })).parts[0]?.events ?? 0;
    const { parts } = await ask({ ...sent, width: 1_000_000, after: events[9].position });
    expect(parts.reduce((sum, part) => sum + part.events, 0)).toBe(all - 10);
  });

  it.each([
    ['no width', {}],
    ['no time', { width: 0 }],
    ['a part of a second', { width: 1.5 }],
    ['too long a time', { width: 1e12 }],
    ['an unknown parameter', { width: 60, limit: 3 }],
    ['a topic without a channel', { width: 60, topic: 'plans' }],
  ])('refuses %s', async (_, question) => {
    const { status, body } = await owner.api.get('/audit/activity', question);
    expect([status, body.result]).toEqual([400, 'error']);
    expect(body.msg).not.toBe('');
  });

  it('is for those who may audit', async () => {
    const refusal = { msg: 'You may not read the audit', code: 'UNAUTHORIZED_PRINCIPAL' };
    await expectRefusal(annals, () => iris.api.get('/audit/activity', { width: 60 }), refusal);
  });
});
