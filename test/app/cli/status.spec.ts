import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/requests/api.js';
import { run, spawnAnnals } from '../../support/servers/command-line.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

describe('annals status', () => {
  let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
  let server: RunningServer;
  const status = (...words: string[]) => run(['status', ...words], { ANNALS_DATA_DIR: data.path });

  beforeAll(async () => {
    data = await temporaryDataDirectory();
    server = await RunningServer.start(data.path);
    await server.caughtUp();
  });
  afterAll(async () => {
    await server.kill();
    await data.remove();
  });

  it('tells people how the server does', async () => {
    const { code, stdout, stderr } = await status();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(`Annals at ${server.url} (process ${server.pid}): ready\n`);
    expect(stdout).toMatch(/^Log +\d+ events, answered \d+ ms ago$/m);
    expect(stdout).toMatch(/^Projections +(\d+) of \1 up to date$/m);
    expect(stdout).toMatch(/^Damaged +0 files$/m);
    expect(stdout).toMatch(/^Messages +\d+ sent since the start$/m);
    expect(stdout).toMatch(/^Requests +\d+ since the start/m);
    expect(stdout).toMatch(/^Memory +\d+ MiB, the heap \d+ MiB$/m);
  });

  it('tells programs what the API tells administrators, and the public no more than yes or no', async () => {
    const owner = new Api(await server.owner());
    await eventually(async () => {
      const { stdout } = await status('--json');
      const { url, pid, ...report } = JSON.parse(stdout);
      expect({ url, pid }).toEqual({ url: server.url, pid: server.pid });
      const { result, msg, ...told } = await owner.get('health');
      expect({ result, msg }).toEqual({ result: 'success', msg: '' });
      // The ages and figures go on.
      expect({ ...report, engines: null, process: null }).toEqual({ ...told, engines: null, process: null });
      const { startedAt } = report.process;
      expect(told.process).toMatchObject({ startedAt, messagesSent: 0, requestMs: expect.anything() });
      expect(told).toMatchObject({ ready: true, logEnd: expect.any(Number) });
    });
    expect(await (await fetch(`${server.url}/health/ready`)).json()).toEqual({ ready: true });
    expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(401);
  });

  it('tells of the backup that was made last, beside the server or while none runs', async () => {
    const read = async () => JSON.parse((await status('--json')).stdout).backup;
    expect(await read()).toBeNull();
    const folder = `${data.path}.backup`;
    const backUp = () => run(['backup', folder], { ANNALS_DATA_DIR: data.path });
    expect(await backUp()).toMatchObject({ code: 0, stderr: '' });
    let first: unknown;
    await eventually(async () => {
      first = await read();
      expect(first).toEqual({ endedAt: expect.stringMatching(/^20.*Z$/), through: expect.any(Number), faults: 0 });
    });
    expect((await status()).stdout).toMatch(/^Backup +ended 20\S+Z, through event \d+$/m);

    await server.kill();
    expect(await backUp()).toMatchObject({ code: 0, stderr: '' });
    server = await RunningServer.start(data.path);
    await eventually(async () => {
      const second = await read();
      expect(second).toMatchObject({ faults: 0 });
      expect(second).not.toEqual(first);
    });
    await rm(folder, { recursive: true });
  });

  it('goes on under --watch until it is stopped', async () => {
    const child = spawnAnnals(['status', '--json', '--watch'], { ANNALS_DATA_DIR: data.path });
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    await eventually(async () => expect(printed.trimEnd().split('\n').length).toBeGreaterThan(1));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('says that no server runs', async () => {
    const other = await temporaryDataDirectory();
    const { code, stdout, stderr } = await run(['status'], { ANNALS_DATA_DIR: other.path });
    await other.remove();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^annals: no server runs on /);
  });
});
