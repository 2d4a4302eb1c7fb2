import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loginLimitDefaults } from '../../../src/platform/http/logins/login-limits.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'correct horse battery';
const HOUR_MS = 3_600_000;
/** More than two hours' guesses. */
const MOST = 3 * loginLimitDefaults.account;

describe('while strangers guess at the password of an account', () => {
  let annals: Annals;
  let owner: Member;
  let email: string;
  let guessed = 0;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: '127.0.0.1' });
    owner = await annals.owner();
    email = 'iago@example.com';
    await owner.api.post('/users', { email, password: PASSWORD, full_name: 'Iago' });
  });
  afterAll(() => annals.stop());

  const hour = () => Math.floor(Date.now() / HOUR_MS);
  const logIn = (address: string, password = PASSWORD) =>
    annals.api.post('/fetch_api_key', { username: email, password }, { headers: { 'X-Forwarded-For': address } });
  /** Guesses from a new address each time, until one is not answered any more. @returns how many were answered */
  async function guess(): Promise<number> {
    for (let answered = 0; answered < MOST; answered += 1) {
      guessed += 1;
      const { status, body, headers } = await logIn(`10.0.${guessed >> 8}.${guessed & 255}`, `guess ${guessed}`);
      if (status === 401) continue;
      expect([status, body]).toEqual([
        429,
        {
          result: 'error',
          code: 'RATE_LIMIT_HIT',
          msg: 'API usage exceeded rate limit',
          'retry-after': Number(headers['retry-after']),
        },
      ]);
      return answered;
    }
    throw new Error(`${MOST} guesses are answered`);
  }

  it('they get few answers, also after a restart, and the owner logs in where the account was used lately', async () => {
    const begun = hour();
    const atHome = (await logIn('192.0.2.1')).body.api_key;
    const onPhone = annals.api.as({ email, apiKey: atHome });
    expect((await onPhone.get('/users/me', {}, { headers: { 'X-Forwarded-For': '192.0.2.2' } })).status).toBe(200);

    const answered = await guess();
    expect(answered).toBeLessThanOrEqual(loginLimitDefaults.account * (1 + hour() - begun));
    expect(answered).toBeGreaterThanOrEqual(loginLimitDefaults.account / 2);
    await annals.restart();
    expect(await guess()).toBeLessThanOrEqual(loginLimitDefaults.account * (hour() - begun));

    for (const known of ['192.0.2.1', '192.0.2.2']) expect((await logIn(known)).status).toBe(200);
    expect((await logIn('192.0.2.1', 'wrong')).status).toBe(401);
    expect((await annals.api.as({ email, apiKey: atHome }).get('/users/me')).status).toBe(200);
  });
});

describe('wrong API keys', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  it('are refused with RATE_LIMIT_HIT after many, and the right one works', async () => {
    const wrong = annals.api.as({ ...owner, apiKey: '0'.repeat(32) });
    // On a slow machine a new minute begins meanwhile: so many come at the same moment.
    const answers = await Promise.all(
      Array.from({ length: 3 * loginLimitDefaults.keys }, () => wrong.get('/users/me')),
    );
    const codes = answers.map(({ status, body }) => `${status} ${body.code}`);
    expect(new Set(codes)).toEqual(new Set(['401 INVALID_API_KEY', '429 RATE_LIMIT_HIT']));
    expect((await owner.api.get('/users/me')).status).toBe(200);
  });
});
