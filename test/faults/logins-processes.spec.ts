import { afterEach, expect, it } from '@jest/globals';
import { loginLimitDefaults } from '../../src/platform/http/logins/login-limits.js';
import { describeMongodb } from '../support/engines/mongodb.js';
import { Fleet } from '../support/servers/fleet.js';

const HOUR_MS = 3_600_000;
const PASSWORD = 'correct horse battery';

describeMongodb('guesses at a password through many processes', () => {
  let fleet: Fleet | undefined;
  afterEach(async () => {
    await fleet?.stop();
    fleet = undefined;
  });

  it('are counted together, also by a process that starts later, and stop no owner at another process', async () => {
    const own = await Fleet.start({ apis: 2, workers: 1, environment: { ANNALS_TRUSTED_PROXIES: '127.0.0.1' } });
    fleet = own;
    for (const api of own.apis) await api.caughtUp();
    const owner = await own.owner(0);
    const email = 'iago@example.com';
    expect(await owner.post('users', { email, password: PASSWORD, full_name: 'Iago' })).toMatchObject({
      result: 'success',
    });
    await own.api(1).caughtUp();

    const logIn = async (index: number, password: string, address: string): Promise<number> => {
      const body = new URLSearchParams({ username: email, password });
      const headers = { 'X-Forwarded-For': address };
      const answer = await fetch(`${own.api(index).url}/api/v1/fetch_api_key`, { method: 'POST', body, headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    /** Each guess comes from an address of its own, at the processes by turns. */
    const guesses = async (network: number): Promise<number> => {
      const all = Array.from({ length: 2 * loginLimitDefaults.account }, (_, index) =>
        logIn(index % 2, 'a wrong password', `10.0.${network}.${index}`),
      );
      return (await Promise.all(all)).filter((status) => status === 401).length;
    };
    const begun = Math.floor(Date.now() / HOUR_MS);
    const windows = () => 1 + Math.floor(Date.now() / HOUR_MS) - begun;

    expect(await logIn(0, PASSWORD, '192.0.2.1')).toBe(200);
    const first = await guesses(1);
    await own.replaceApi(1);
    await own.api(1).caughtUp();
    const second = await guesses(2);
    expect(first + second).toBeLessThanOrEqual(loginLimitDefaults.account * windows());
    expect(await logIn(1, PASSWORD, '192.0.2.1')).toBe(200);
  });
});
