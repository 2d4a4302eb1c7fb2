import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { client } from '../../support/requests/http.js';
import { run } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

const SITE = 'https://chat.example.org';
const DAY = 86_400;

describe('annals invite', () => {
  let engines: OwnEngines;
  let settings: Readonly<Record<string, string>>;
  let server: RunningServer | null = null;

  /** Sees that a server runs. */
  async function beside(): Promise<RunningServer> {
    server ??= await RunningServer.start(engines.dataDirectory, settings);
    return server.caughtUp();
  }
  /** Sees that no server runs. */
  async function alone(): Promise<void> {
    await server?.stop();
    server = null;
  }

  beforeAll(async () => {
    engines = await ownEngines();
    settings = { ...engines.environment, ANNALS_SITE: SITE };
    await beside();
  });
  afterAll(async () => {
    await alone();
    await engines.remove();
  });

  const invite = (...words: string[]) => run(['invite', ...words], settings);
  const linesOf = (stdout: string) => stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const list = async () => linesOf((await invite('list', '--json')).stdout);
  const newest = async (type: string) =>
    JSON.parse((await run(['log', '--json', '--type', type, '--last', '1'], settings)).stdout);
  /** The status of the page that a link opens. */
  const opens = async (link: string) => (await fetch(link.replace(SITE, (await beside()).url))).status;
  const invitesOfApi = async () => {
    const { email, key } = await (await beside()).owner();
    const { body } = await client((await beside()).url)
      .as({ email, apiKey: key })
      .get('/invites');
    return body.invites;
  };

  it.each(['beside a server', 'alone'])(
    'makes a link that people can join by, lists and ends it, %s',
    async (where) => {
      const at = where === 'alone' ? alone : beside;
      await at();
      const made = await invite('create');
      expect(made).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^https:\/\/chat\.example\.org\/join\/\S+\/\n$/),
        stderr: '',
      });
      const link = made.stdout.trim();
      const [guests] = linesOf(
        (await invite('create', '--role', 'guest', '--channel', 'general', '--days', 'never', '--json')).stdout,
      );
      expect(guests).toMatchObject({ role: 'guest', channels: ['general'], expiry_date: null, is_usable: true });
      const event = await newest('InvitationLinkCreated');
      expect(event).toMatchObject({ actor: null, operator: userInfo().username, client: 'annals' });
      expect(event.data).toMatchObject({ inviterId: 1 });

      const links = await list();
      expect(links).toEqual([expect.objectContaining({ link_url: link, role: 'member' }), guests]);
      expect(links[0].expiry_date - Date.now() / 1000).toBeGreaterThan(9 * DAY);
      expect((await invite('list')).stdout).toMatch(
        /^id +role +ends +by +link\n\d+ +member +\d{4}-\d\d-\d\d +owner@example.com +https/,
      );
      expect(await opens(link)).toBe(200);
      expect((await invitesOfApi()).map((one: { link_url: string }) => one.link_url)).toEqual([link, guests.link_url]);

      await at();
      expect((await invite('revoke', String(links[0].id))).stdout).toBe(`The link ${links[0].id} has ended.\n`);
      expect(await newest('InvitationRevoked')).toMatchObject({ actor: null, operator: userInfo().username });
      expect((await invite('revoke', guests.link_url)).code).toBe(0);
      expect(await list()).toEqual([]);
      expect(await opens(link)).not.toBe(200);
      expect(await invitesOfApi()).toEqual([]);
    },
  );

  it('makes no link whose address nobody knows', async () => {
    await alone();
    const unknown = { ...engines.environment, ANNALS_PORT: '0' };
    const { code, stdout, stderr } = await run(['invite', 'create'], unknown);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('name the public URL with --site')]);
    expect(await list()).toEqual([]);
  });

  it('refuses what there is not, and says what there is', async () => {
    await beside();
    const nowhere = await invite('create', '--channel', 'nowhere');
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('there are general (1)')]);
    const king = await invite('create', '--role', 'king');
    expect([king.code, king.stderr]).toEqual([2, expect.stringContaining('owner, administrator, moderator')]);
    for (const days of ['0', '3651', '1.5', 'soon']) expect((await invite('create', '--days', days)).code).toBe(2);
    const [{ id }] = linesOf((await invite('create', '--json')).stdout);
    const missing = await invite('revoke', '999');
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: `annals: there is no link 999: there are ${id} (member)\n`,
    });
    expect(await list()).toHaveLength(1);
  });
});
