import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { client } from '../../support/requests/http.js';
import { run } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

const IRIS = 'iris@example.com';
const NOOR = 'noor@example.com';

describe('annals channel', () => {
  let engines: OwnEngines;
  let server: RunningServer | null = null;

  /** Sees that a server runs. */
  async function beside(): Promise<RunningServer> {
    server ??= await RunningServer.start(engines.dataDirectory, engines.environment);
    return server.caughtUp();
  }
  /** Sees that no server runs. */
  async function alone(): Promise<void> {
    await server?.stop();
    server = null;
  }
  const at = (where: string): Promise<unknown> => (where === 'alone' ? alone() : beside());

  beforeAll(async () => {
    engines = await ownEngines();
    await beside();
    for (const email of [IRIS, NOOR]) {
      const named = ['user', 'create', email, '--name', 'A new one', '--password-file', '-'];
      expect((await run(named, engines.environment, 'a long password')).code).toBe(0);
    }
  });
  afterAll(async () => {
    await alone();
    await engines.remove();
  });

  const channel = (...words: string[]) => run(['channel', ...words], engines.environment);
  const linesOf = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const list = async () => linesOf((await channel('list', '--json')).stdout);
  /** What a client of the account sees of its channels. */
  const channelsOf = async (username: string) => {
    const { url } = await beside();
    const login = await client(url).post('/fetch_api_key', { username, password: 'a long password' });
    const api = client(url).as({ email: username, apiKey: login.body.api_key });
    return (await api.get('/users/me/subscriptions')).body.subscriptions;
  };
  const newest = async (type: string) =>
    JSON.parse((await run(['log', '--json', '--type', type, '--last', '1'], engines.environment)).stdout);

  it.each(['beside a server', 'alone'])('creates channels with first subscribers, %s', async (where) => {
    const [name, secret] = where === 'alone' ? ['design', 'board'] : ['help', 'staff'];
    await at(where);
    const made = await channel('create', name, IRIS, '--default', '--description', 'What we *do*');
    expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^Created the public channel \d+: /), stderr: '' });
    const hidden = await channel('create', secret, NOOR, '--private', '--json');
    const { channel_id: id } = JSON.parse(hidden.stdout);
    const created = await newest('ChannelCreated');
    expect(created).toMatchObject({ actor: null, operator: userInfo().username, client: 'annals' });
    expect(created.data).toMatchObject({ channelId: id, creatorId: 1 });

    await beside();
    expect(await channelsOf(IRIS)).toContainEqual(expect.objectContaining({ name, description: 'What we *do*' }));
    expect(await channelsOf(IRIS)).not.toContainEqual(expect.objectContaining({ name: secret }));
    expect(await channelsOf(NOOR)).toContainEqual(expect.objectContaining({ name: secret, invite_only: true }));
    const state = { is_archived: false, subscribers: 1 };
    expect(await list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name, is_private: false, is_default: true, ...state }),
        expect.objectContaining({ channel_id: id, name: secret, is_private: true, is_default: false, ...state }),
      ]),
    );
    expect(await channel('create', name.toUpperCase())).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('already exists'),
    });
  });

  it('tells the name that it has stored, and escapes what would steer a terminal', async () => {
    await beside();
    const padded = await channel('create', '  padded ');
    expect(padded.stdout).toMatch(/^Created the public channel \d+: padded\.\n$/);
    const turned = await channel('create', 'turned\u202eround', IRIS);
    expect(turned.stdout).toMatch(/: turned\\u\{202e\}round\.\n$/);
    expect((await channel('archive', 'turned\u202eround')).stdout).toBe('turned\\u{202e}round is archived.\n');
    const { stdout } = await channel('create', ' machine ', '--json');
    expect(JSON.parse(stdout)).toEqual({ channel_id: expect.any(Number), name: 'machine' });
  });

  it.each(['beside a server', 'alone'])('archives a channel, and undoes it, %s', async (where) => {
    const name = where === 'alone' ? 'summer' : 'winter';
    await channel('create', name, IRIS);
    await beside();
    await at(where);
    expect(await channel('archive', name)).toEqual({ code: 0, stdout: `${name} is archived.\n`, stderr: '' });
    expect((await channel('archive', name)).stdout).toBe(`${name} was archived already.\n`);
    expect(await list()).toContainEqual(expect.objectContaining({ name, is_archived: true, subscribers: 1 }));
    expect(await newest('ChannelArchived')).toMatchObject({ actor: null, operator: userInfo().username });
    const [back] = linesOf((await channel('unarchive', name, '--json')).stdout);
    expect(back).toMatchObject({ name, is_archived: false });
    expect((await channel('unarchive', name)).stdout).toBe(`${name} was not archived.\n`);
    expect(await newest('ChannelUnarchived')).toMatchObject({ actor: null, operator: userInfo().username });
    expect(await channelsOf(IRIS)).toContainEqual(expect.objectContaining({ name, is_archived: false }));
  });

  it.each(['beside a server', 'alone'])('subscribes accounts, to a private channel too, %s', async (where) => {
    const name = where === 'alone' ? 'night' : 'day';
    await channel('create', name, '--private');
    await at(where);
    const words = ['subscribe', name, IRIS, NOOR];
    expect((await channel(...words)).stdout).toBe(`Subscribed to ${name}: ${IRIS}, ${NOOR}.\n`);
    expect((await channel(...words)).stdout).toBe(`All of them were subscribed to ${name} already.\n`);
    expect(await newest('UsersSubscribed')).toMatchObject({ actor: null, operator: userInfo().username });
    expect(await channelsOf(NOOR)).toContainEqual(expect.objectContaining({ name, invite_only: true }));
  });

  it.each([
    [['archive', 'nowhere'], 'there is no channel nowhere: there are general (1)'],
    [['unarchive', '999'], 'there is no channel 999: there are general (1)'],
    [['subscribe', 'nowhere', IRIS], 'there is no channel nowhere: there are general (1)'],
    [['subscribe', 'general', IRIS, 'nobody@example.com'], 'there is no account nobody@example.com: there are'],
    [['create', 'made', 'nobody@example.com'], 'there is no account nobody@example.com: there are'],
  ])('refuses %j with what there is, and changes nothing', async (words, reason) => {
    await beside();
    const before = await list();
    expect(await channel(...words)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(reason) });
    expect(await list()).toEqual(before);
  });

  it('prints a table for people', async () => {
    await beside();
    expect((await channel('list')).stdout).toMatch(
      /^id +name +kind +state +subscribers +description\n1 +general +public, default +active +3/,
    );
    expect((await channel('subscribe', 'general')).code).toBe(2);
    expect((await channel('vanish')).code).toBe(2);
  });
});
