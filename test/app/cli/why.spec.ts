import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { run } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

describe('annals why', () => {
  let engines: OwnEngines;
  let server: RunningServer;

  beforeAll(async () => {
    engines = await ownEngines();
    server = await (await RunningServer.start(engines.dataDirectory, engines.environment)).caughtUp();
    const named = ['user', 'create', 'iris@example.com', '--name', 'Iris', '--password-file', '-'];
    expect((await run(named, engines.environment, 'a long password')).code).toBe(0);
  });
  afterAll(async () => {
    await server.stop();
    await engines.remove();
  });

  const why = (...words: string[]) => run(['why', ...words], engines.environment);

  it('says who may do what, and which setting decides', async () => {
    const { code, stdout, stderr } = await why('iris@example.com', 'may', 'post', 'in', 'general');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Yes: iris@example.com may post in general.\n/);
    expect(stdout).toMatch(/\* +yes +can_send_message_group of the channel +the account is in Everyone\n/);
    const refused = await why('2', 'may', 'create_multiuse_invite_group');
    expect(refused.stdout).toMatch(/^No: iris@example.com may not create_multiuse_invite_group.\n/);
    expect(refused.stdout).toMatch(
      /\* +no +create_multiuse_invite_group of the organization +it is for Administrators\n/,
    );
  });

  it('gives programs all of it', async () => {
    const { stdout } = await why('--json', 'iris@example.com', 'may', 'administer', 'in', 'general');
    expect(JSON.parse(stdout)).toMatchObject({
      email: 'iris@example.com',
      action: 'administer',
      channel: 'general',
      allowed: false,
      checks: expect.arrayContaining([
        { asks: 'fact', fact: 'account is an administrator', holds: false, decides: true },
        expect.objectContaining({ setting: 'can_administer_channel_group', decides: true, groups: [] }),
      ]),
    });
  });

  it('lists what there is if it is asked for something else', async () => {
    const action = await why('1', 'may', 'fly', 'in', 'general');
    expect([action.code, action.stderr]).toEqual([2, expect.stringContaining('can_send_message_group')]);
    expect((await why('1', 'can', 'read', 'in', 'general')).code).toBe(2);
    expect((await why('1', 'may', 'read', 'in')).code).toBe(2);
    const channel = await why('1', 'may', 'read', 'in', 'nowhere');
    expect([channel.code, channel.stderr]).toEqual([1, expect.stringContaining('there are general (1)')]);
    const nobody = await why('nobody@example.com', 'may', 'read', 'in', 'general');
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('owner@example.com (1)')]);
    expect(await why('1', 'may', 'read')).toMatchObject({
      code: 1,
      stderr: 'annals: read is an action in a channel: name one\n',
    });
  });
});
