import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { HealthReport } from '../../../src/app/health/health.js';
import { Api } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { RunningServer, temporaryDataDirectory } from '../../support/running-server.js';

it('a restored log that has lost signed events is not signed, and says so, until it has another name', async () => {
  const data = await temporaryDataDirectory();
  const [log, backup] = [join(data.path, 'log.sqlite'), join(data.path, 'backup')];
  const site = { ANNALS_SITE: 'https://chat.example.org' };
  const send = async (server: RunningServer): Promise<void> => {
    const api = new Api(await server.owner());
    expect(await api.post('users/me/status', { status_text: `${Math.random()}` })).toMatchObject({ result: 'success' });
  };
  const checkpointOf = async (server: RunningServer) => {
    const answer = await fetch(`${server.url}/transparency/checkpoint`);
    return { status: answer.status, text: await answer.text() };
  };
  const checkpoints = async (server: RunningServer) =>
    ((await (await fetch(`${server.url}/health/ready`)).json()) as HealthReport).checkpoints;

  let server = await RunningServer.start(data.path, site);
  try {
    await server.stop();
    await cp(log, backup);
    server = await RunningServer.start(data.path, site);
    await send(server);
    await eventually(async () => expect(await checkpoints(server)).toMatchObject({ alarms: [] }));
    await server.stop();
    const noted = await readFile(join(data.path, 'checkpoints'), 'utf8');

    await cp(backup, log);
    server = await RunningServer.start(data.path, site);
    const reason = expect.stringMatching(
      /^the log contradicts a signed checkpoint of chat\.example\.org\/transparency: it has/,
    );
    await eventually(async () => expect(await checkpoints(server)).toEqual({ size: null, alarms: [reason] }));
    expect(await checkpointOf(server)).toMatchObject({
      status: 503,
      text: expect.stringContaining('CHECKPOINT_NOT_SIGNED'),
    });
    expect((await fetch(`${server.url}/transparency/tile/0/000.p/1`)).status).toBe(404);
    expect(server.printed).toContain('no checkpoint is signed: the log contradicts a signed checkpoint');
    await send(server);
    await server.stop();
    expect(await readFile(join(data.path, 'checkpoints'), 'utf8')).toBe(noted);

    server = await RunningServer.start(data.path, { ANNALS_SITE: 'https://chat2.example.org' });
    await eventually(async () =>
      expect((await checkpointOf(server)).text).toMatch(/^chat2\.example\.org\/transparency\n/),
    );
    await eventually(async () => expect(await checkpoints(server)).toMatchObject({ alarms: [] }));
  } finally {
    await server.kill();
    await data.remove();
  }
});
