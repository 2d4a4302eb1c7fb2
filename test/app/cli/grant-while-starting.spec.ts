import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../scripts/free-port.js';
import { openUnlessServed, throughServer } from '../../../src/app/cli/open-organization.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { EMBEDDED } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { run, spawnAnnals } from '../../support/servers/command-line.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

describe('a command beside a server that starts', () => {
  let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    data = await temporaryDataDirectory();
    environment = { ...EMBEDDED, ANNALS_DATA_DIR: data.path };
    await (await RunningServer.start(data.path)).stop();
  });
  afterAll(() => data.remove());

  /** Starts a server, runs something at its first answer that `isIt`, and stops it. */
  async function atAnswer<Result>(isIt: (status: number) => boolean, act: () => Promise<Result>): Promise<Result> {
    const port = String(await freePort());
    const child = spawnAnnals(['start'], { ...environment, ANNALS_PORT: port });
    const ended = once(child, 'exit');
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    try {
      await eventually(async () => {
        const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/server_settings`);
        expect(isIt(status)).toBe(true);
      }, 150_000);
      const result = await act();
      await eventually(() => expect(printed).toContain('Annals is running'), 150_000);
      return result;
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  }

  const grant = (...words: string[]) => run(['grant', ...words, 'can_create_users', '1'], environment);

  it.each([1, 2, 3])('is carried out by the server at its first answer, start %d', async () => {
    const [taken, given] = await atAnswer(
      () => true,
      async () => [await grant('--revoke'), await grant()],
    );
    expect(taken).toEqual({ code: 0, stdout: '1 no longer has can_create_users.\n', stderr: '' });
    expect(given).toEqual({ code: 0, stdout: '1 has can_create_users now.\n', stderr: '' });
  });

  it('finds the control socket at the first answer that is none of a start', async () => {
    const settings = { dataDirectory: data.path };
    const way = await atAnswer(
      (status) => status === 200,
      () =>
        throughServer(settings, {
          ask: async (server) => {
            server.destroy();
            return 'asked';
          },
          here: async () => 'here',
        }),
    );
    expect(way).toBe('asked');
  });

  it('keeps a server waiting that starts meanwhile', async () => {
    const settings = { dataDirectory: data.path };
    const held = await openEngines(settings);
    const opened = openUnlessServed(settings);
    await held.close();
    await (await opened).close();
  });

  it('is refused if another command keeps the log', async () => {
    const settings = { dataDirectory: data.path };
    const held = await openEngines(settings);
    const here = async () => (await openEngines(settings)).close();
    const refused = throughServer(settings, { ask: async () => {}, here, longestMs: 1 });
    await expect(refused).rejects.toThrow('in use by another Annals server');
    await held.close();
  });
});
