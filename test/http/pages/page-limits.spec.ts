import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEAD_LINKS } from '../../../src/platform/http/logins/link-guesses.js';
import { Annals } from '../../support/servers/annals.js';

const MINUTE_MS = 60_000;
const RESETS = 10;

describe('a client that asks pages for much', () => {
  let annals: Annals;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback' });
  });
  afterAll(() => annals.stop());

  const minute = () => Math.floor(Date.now() / MINUTE_MS);
  const browse = async (path: string, address: string, form?: Readonly<Record<string, string>>): Promise<number> => {
    const headers = { 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'same-origin' };
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(`${annals.url}${path}`, { ...sent, headers });
    await response.arrayBuffer();
    return response.status;
  };
  const askForReset = (address: string) =>
    browse('/accounts/password/reset/', address, { email: 'nobody@example.org' });
  const openDeadLink = (address: string) => browse(`/join/${'b'.repeat(24)}/`, address);

  it.each([
    ['links to a new password', RESETS, 200, askForReset],
    ['dead links', DEAD_LINKS, 404, openDeadLink],
  ] as const)('is limited in %s, also after a restart, and nobody else is', async (_, most, status, ask) => {
    const begun = minute();
    const ofMany = async () => {
      const statuses = await Promise.all(Array.from({ length: 2 * most }, () => ask('192.0.2.1')));
      expect(statuses.filter((one) => one !== status && one !== 429)).toEqual([]);
      return statuses.filter((one) => one === status).length;
    };
    const answered = await ofMany();
    await annals.restart();
    // On a slow machine a new minute begins meanwhile.
    expect(answered + (await ofMany())).toBeLessThanOrEqual(most * (1 + minute() - begun));
    expect(answered).toBeGreaterThanOrEqual(most);
    expect(await ask('192.0.2.2')).toBe(status);
  });
});
