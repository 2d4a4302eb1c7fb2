import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { freePort } from '../../../scripts/free-port.js';
import { blocksOf } from '../../../scripts/readme.js';
import { ROOT } from '../../../scripts/transpile.js';
import { Api } from '../../support/requests/api.js';
import { run } from '../../support/servers/command-line.js';
import { type Credentials, RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const PAGE = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** The page's commands of `annals backup` and `annals restore`, in their order. */
const COMMANDS = blocksOf('console', PAGE)
  .split('\n')
  .filter((line) => /^annals (backup|restore) /.test(line));

it('an operator sees how the server does, and loses nothing by a kill, a rebuild or a restore', async () => {
  const folders = [await temporaryDataDirectory(), await temporaryDataDirectory(), await temporaryDataDirectory()];
  const [data = '', copies = '', restored = ''] = folders.map(({ path }) => path);
  const metrics = `127.0.0.1:${await freePort()}`;
  const settings = { ANNALS_METRICS: metrics };
  const annals = (words: string, directory = data) => run(words.split(' ').slice(1), { ANNALS_DATA_DIR: directory });
  const expectDone = async (words: string, says: string, directory = data): Promise<void> =>
    expect(await annals(words, directory)).toEqual({ code: 0, stdout: expect.stringContaining(says), stderr: '' });
  const asPaged = (index: number): string =>
    (COMMANDS[index] ?? '').replace('/backups/', `${copies}/log-`).replace('/elsewhere/', `${copies}/keys-`);
  let server = await RunningServer.start(data, settings);
  const send = async (content: string) => {
    const owner = new Api(await server.owner());
    expect(await owner.post('messages', { type: 'channel', to: 'general', topic: 'walk', content })).toMatchObject({
      result: 'success',
    });
  };
  const sent = async (credentials?: Credentials): Promise<readonly string[]> => {
    const owner = new Api({ ...(credentials ?? (await server.owner())), site: server.url });
    const narrow = [{ operator: 'topic', operand: 'walk' }];
    const page = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false, narrow };
    return ((await owner.get('messages', page)).messages as readonly { content: string }[]).map((one) => one.content);
  };

  try {
    await send('before the backup');
    const kept = await server.owner();
    await server.caughtUp();
    await expectDone('annals status', `Annals at ${server.url} (process ${server.pid}): ready\n`);
    const { ready, logEnd } = JSON.parse((await annals('annals status --json')).stdout);
    expect(ready).toBe(true);
    const scraped = await (await fetch(`http://${metrics}/metrics`)).text();
    expect(scraped).toMatch(/^annals_ready(\{.*\})? 1$/m);
    expect(Number(/^annals_log_end(?:\{.*\})? (\d+)$/m.exec(scraped)?.[1])).toBeGreaterThanOrEqual(logEnd);

    await expectDone(asPaged(0), '');
    await expectDone(asPaged(1), 'The backup is right');
    await send('after the backup');

    // Killed, it has what it acknowledged.
    await server.kill();
    expect(await annals('annals status')).toMatchObject({ code: 1, stderr: expect.stringMatching(/no server runs/) });
    server = await RunningServer.start(data, settings);
    expect(await sent()).toEqual(['before the backup', 'after the backup']);
    await expectDone('annals verify', 'The log is right');
    await expectDone('annals rebuild', 'Rebuilt all projections');
    await expectDone('annals verify --documents', 'right');
    expect(await sent()).toEqual(['before the backup', 'after the backup']);
    await expectDone('annals status', ': ready\n');

    // It stops by itself, with a poll that waits; what is given up after 15 s is said.
    const owner = new Api(await server.owner());
    const { queue_id, last_event_id } = await owner.post('register', { event_types: ['message'] });
    const poll = owner.get('events', { queue_id, last_event_id }).catch(String);
    await server.stop();
    await poll;
    expect(server.printed).toContain('Stopping: answering what has been accepted');
    expect(server.printed).not.toMatch(/SIGKILL/);
    await expectDone('annals verify', 'The log is right');

    // The backup has what there was when it was made, and the logins of then. The file of the key is not in it.
    await expectDone(asPaged(2), '', restored);
    server = await RunningServer.start(restored, settings);
    expect(await sent(kept)).toEqual(['before the backup']);
  } finally {
    await server.kill();
    for (const folder of folders) await folder.remove();
  }
});
