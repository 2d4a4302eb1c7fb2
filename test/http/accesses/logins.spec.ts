import { afterEach, describe, expect, it } from '@jest/globals';
import { AccessKeySweeper } from '../../../src/platform/commands/month-key-sweeper.js';
import { eventually } from '../../support/eventually.js';
import { filesWith } from '../../support/files-with.js';
import { accessesInLog, recordedAccesses, times, together } from '../../support/requests/recorded-accesses.js';
import { Annals } from '../../support/servers/annals.js';

const ADDRESS = '203.0.113.77';
const from = { headers: { 'X-Forwarded-For': ADDRESS, 'User-Agent': 'Guesser/1.0' } };
const PASSWORD = 'correct horse battery';
const email = 'zoe@example.com';

describe('logins in the log', () => {
  let annals: Annals;
  let userId: number;
  afterEach(() => annals.stop());

  const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30', ...settings });
    const owner = await annals.owner();
    userId = (await owner.api.post('/users', { email, password: PASSWORD, full_name: 'Zoë' })).body.user_id;
  };
  const logIn = (username: string, password: string) => annals.api.post('/fetch_api_key', { username, password }, from);
  const accesses = () => accessesInLog(annals);
  const recorded = async () => together(await recordedAccesses(annals));

  it('say who logged in, from where, a moment later', async () => {
    await start();
    const { body } = await logIn(email, PASSWORD);
    expect(body.result).toBe('success');
    const metadata = { actorId: userId, client: 'Guesser', address: ADDRESS };
    await eventually(async () =>
      expect(await accesses()).toEqual([{ type: 'LoggedIn', data: { userId, ...times(1) }, metadata }]),
    );
  });

  it('name the account of failed ones, by password and by key, once for all repeats', async () => {
    await start();
    for (let n = 0; n < 3; n++) expect((await logIn(email, 'wrong')).status).toBe(401);
    await logIn('nobody@example.com', 'wrong');
    await annals.api.as({ email, apiKey: 'k'.repeat(32) }).get('/users/me', {}, from);
    await annals.api.as({ email, apiKey: 'short' }).get('/users/me', {}, from);
    await annals.api.get('/users/me', {}, from);
    await annals.api.post('/fetch_api_key', { username: email }, from);
    const metadata = { actorId: null, client: 'Guesser', address: ADDRESS };
    const failed = (data: object, count = 1) => ({ type: 'LoginFailed', data: { ...data, ...times(count) }, metadata });
    const words = { account: email };
    expect(await recorded()).toEqual([
      failed({ userId, secret: 'password', reason: 'AUTHENTICATION_FAILED', words }, 3),
      failed({
        userId: null,
        secret: 'password',
        reason: 'AUTHENTICATION_FAILED',
        words: { account: 'nobody@example.com' },
      }),
      failed({ userId, secret: 'apiKey', reason: 'INVALID_API_KEY', words }),
      failed({ userId, secret: 'apiKey', reason: 'MALFORMED_API_KEY', words }),
    ]);
  });

  it('tell of accounts that are deactivated, and of too many attempts', async () => {
    await start();
    const owner = await annals.owner();
    await owner.api.delete(`/users/${userId}`);
    await logIn(email, PASSWORD);
    let failures = 0;
    // Failures of another minute count anew, and are other events.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 11 }, () => logIn('x@example.com', 'wrong')));
      failures += answers.length;
      expect(answers.map(({ status }) => status)).toContain(429);
    });
    const counts = new Map<unknown, number>();
    for (const { data } of await recorded()) {
      const reason = Reflect.get(data, 'reason');
      counts.set(reason, (counts.get(reason) ?? 0) + Number(Reflect.get(data, 'count')));
    }
    expect([...counts.keys()].sort()).toEqual(['AUTHENTICATION_FAILED', 'RATE_LIMIT_HIT', 'USER_DEACTIVATED']);
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(1 + failures);
  });

  it('are written when the server stops, and no name is in plain text', async () => {
    await start();
    await logIn('mallory-was-here', 'wrong');
    await annals.restart(async () => {
      expect(await filesWith(annals.dataDirectory, [Buffer.from('mallory-was-here')])).toEqual([]);
    });
    expect(await accesses()).toMatchObject([{ data: { words: { account: 'mallory-was-here' } } }]);
  });

  it('lose the names of accounts once their time is over', async () => {
    await start();
    await logIn('mallory', 'wrong');
    const [event] = await recorded();
    expect(event?.data).toMatchObject({ words: { account: 'mallory' } });
    const now = new Date();
    const monthEnds = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    const sweeper = annals.app.get(AccessKeySweeper);
    await sweeper.sweep(monthEnds + 30 * 86_400_000);
    expect(await accesses()).toMatchObject([{ data: { words: { account: 'mallory' } } }]);
    await sweeper.sweep(monthEnds + 30 * 86_400_000 + 1);
    expect(await accesses()).toMatchObject([{ data: { words: null }, metadata: { address: ADDRESS } }]);
  });

  it('are not recorded if the setting is 0', async () => {
    await start({ ANNALS_ACCESS_DAYS: '0' });
    await logIn(email, 'wrong');
    await logIn(email, PASSWORD);
    expect(await recorded()).toEqual([]);
  });
});
