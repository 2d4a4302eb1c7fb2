import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import { compiled } from '../../../scripts/transpile.js';
import type { BackupMade } from '../../../src/app/backup/backup.documents.js';
import { ask, ControlFailed, connectToServer } from '../../../src/app/cli/control-client.js';
import {
  type ControlHandlers,
  type ControlRequest,
  readServerFile,
  writeServerFile,
} from '../../../src/app/cli/control-protocol.js';
import { type ControlServer, startControlServer } from '../../../src/app/cli/control-server.js';
import { UnknownRequest } from '../../../src/app/operations/operation.js';
import type { OperatorAct } from '../../../src/features/accesses/commands/record-operator-act.js';

const step = (projection: string, position: number, head = 10): BuildProgress => ({
  projections: [projection],
  done: position,
  total: head,
  eventsPerSecond: 100,
  secondsLeft: 1,
  position,
  head,
  stall: null,
});

const recorded: OperatorAct[] = [];
const remembered: BackupMade[] = [];
const requestId = '018f0000-0000-7000-8000-000000000001';

const handlers: ControlHandlers = {
  status: () => ({ url: 'http://127.0.0.1:9991', pid: process.pid }),
  health: () => '{"ready":true}',
  async rebuild({ projections }, onProgress) {
    for (const projection of projections ?? ['messages', 'feed']) {
      if (projection === 'nothing') throw new Error('there is no projection "nothing"');
      onProgress(step(projection, 5));
      onProgress(step(projection, 10));
    }
  },
  operate: async ({ operation, operator }) => {
    if (operation === 'user vanish') throw new UnknownRequest();
    return JSON.stringify({ operation, operator });
  },
  rememberBackup: async (made) => void remembered.push(made),
  record: async (act) => recorded.push(act) > 0,
};

/** Connects as another user if the tests run as root, because root may read everything. */
const CONNECT = `
  const { connectToServer } = await import(${JSON.stringify(compiled('src/app/cli/control-client.js'))});
  if (process.getuid() === 0) {
    process.setgid(65534);
    process.setuid(65534);
  }
  await connectToServer(process.argv[1]).catch((error) => process.stdout.write(error.message));
`;

const connectedAsNobody = async (path: string): Promise<string> => {
  const words = ['--input-type=module', '-e', CONNECT, path];
  return (await promisify(execFile)(process.execPath, words, { env: { ...process.env, NODE_OPTIONS: '' } })).stdout;
};

describe('the control socket', () => {
  let folder: string;
  let server: ControlServer | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'control-'));
  });

  afterEach(async () => {
    await server?.close();
    server = undefined;
    await rm(folder, { recursive: true });
  });

  const request = async (question: ControlRequest, onProgress?: (progress: BuildProgress) => void) => {
    const socket = await connectToServer(folder);
    if (!socket) throw new Error('nobody listens');
    return ask(socket, question, onProgress);
  };

  it('answers with the status of the running server', async () => {
    server = await startControlServer(folder, handlers);
    expect(await request({ request: 'status' })).toEqual({ url: 'http://127.0.0.1:9991', pid: process.pid });
  });

  it('reports the progress of a rebuild, then its end', async () => {
    server = await startControlServer(folder, handlers);
    const seen: BuildProgress[] = [];
    await request({ request: 'rebuild', projections: null }, (progress) => seen.push(progress));
    expect(seen).toEqual([step('messages', 5), step('messages', 10), step('feed', 5), step('feed', 10)]);
  });

  it('passes on the reason why a rebuild failed', async () => {
    server = await startControlServer(folder, handlers);
    await expect(request({ request: 'rebuild', projections: ['nothing'] })).rejects.toThrow(
      new ControlFailed('there is no projection "nothing"'),
    );
  });

  it('passes on an operation with its operator, and answers with its result', async () => {
    server = await startControlServer(folder, handlers);
    const asked = { operation: 'user list', fields: {}, requestId, operator: 'root' };
    expect(await request({ request: 'operate', asked })).toBe('{"operation":"user list","operator":"root"}');
    const unknown = request({ request: 'operate', asked: { ...asked, operation: 'user vanish' } });
    await expect(unknown).rejects.toThrow('was it sent by another version of Annals?');
  });

  it('passes on a command that is to be recorded', async () => {
    server = await startControlServer(folder, handlers);
    const names = { user: 'root', sudoUser: 'iris' };
    const act = { requestId, command: 'log', options: { message: [17], words: [] }, names };
    await request({ request: 'record', act });
    expect(recorded).toEqual([act]);
  });

  it.each([
    '{"request":"stop"}',
    `{"request":"record","act":{"requestId":"${requestId}","command":"log","options":{"message":"17"},"names":{"user":"root","sudoUser":null}}}`,
    `{"request":"record","act":{"requestId":"${requestId}","command":"log","options":{},"names":{"user":1,"sudoUser":null}}}`,
    '{"request":"record","act":{"requestId":"mine","command":"log","options":{},"names":{"user":"root","sudoUser":null}}}',
    '{"request":"operate","asked":{"operation":"user list","fields":{},"requestId":"mine","operator":"root"}}',
    '{"request":"permission","change":{"permission":"can_fly","user":"1","isGranted":true}}',
    'nonsense',
    '{"request":"rebuild","projections":"messages"}',
    'null',
  ])('refuses the line %s and serves the next request', async (line) => {
    server = await startControlServer(folder, handlers);
    const socket = connect((await readServerFile(folder))?.socket ?? '');
    socket.write(`${line}\n`);
    const lines: unknown[] = [];
    for await (const answer of createInterface({ input: socket })) lines.push(JSON.parse(answer));
    expect(lines).toEqual([{ answer: 'failed', message: expect.stringContaining('does not know the request') }]);
    expect(await request({ request: 'status' })).toMatchObject({ pid: process.pid });
  });

  it('hangs up on a request that is too long', async () => {
    server = await startControlServer(folder, handlers);
    const socket = connect((await readServerFile(folder))?.socket ?? '');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('x'.repeat(200_000));
    await closed;
    expect(await request({ request: 'status' })).toMatchObject({ pid: process.pid });
  });

  it('continues a rebuild when its client has gone', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    server = await startControlServer(folder, {
      ...handlers,
      async rebuild(_projections, onProgress) {
        onProgress(step('messages', 1, 2));
        await hungUp;
        for (let position = 0; position < 100; position++) onProgress(step('messages', position, 100));
        finish();
      },
    });
    const socket = connect((await readServerFile(folder))?.socket ?? '');
    const hungUp = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.once('data', () => socket.destroy());
    socket.write('{"request":"rebuild","projections":null}\n');
    await finished;
    expect(await request({ request: 'status' })).toMatchObject({ pid: process.pid });
  });

  it('can be opened by its owner only', async () => {
    server = await startControlServer(folder, handlers);
    const file = await readServerFile(folder);
    expect((await stat(file?.socket ?? '')).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'server.json'))).mode & 0o777).toBe(0o600);
  });

  it('tells another user whose it is', async () => {
    server = await startControlServer(folder, handlers);
    await chmod(folder, 0o755);
    if (process.getuid?.() !== 0) await chmod(join(folder, 'server.json'), 0o000);
    const reason = `this user may not reach the server of ${folder}: run the command as the operating system's user`;
    expect(await connectedAsNobody(folder)).toBe(`${reason} that runs the server, uid ${process.getuid?.()}`);
    await chmod(folder, 0o700);
    if (process.getuid?.() === 0) expect(await connectedAsNobody(folder)).toContain(reason);
  });

  it('leaves neither socket nor server.json when it closes', async () => {
    server = await startControlServer(folder, handlers);
    const socket = (await readServerFile(folder))?.socket ?? '';
    await server.close();
    server = undefined;
    expect([existsSync(socket), existsSync(join(folder, 'server.json'))]).toEqual([false, false]);
    expect(await connectToServer(folder)).toBeNull();
  });

  it('answers waiting clients when the server stops', async () => {
    const stopping = await startControlServer(folder, {
      ...handlers,
      rebuild: async (_projections, onProgress) => {
        onProgress(step('messages', 1, 2));
        await new Promise(() => {});
      },
    });
    const asked = request({ request: 'rebuild', projections: null }, () => void stopping.close());
    await expect(asked).rejects.toThrow(/went away/);
  });

  it('moves to a short path if the data directory is too deep', async () => {
    const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60));
    await mkdir(deep, { recursive: true });
    const deepServer = await startControlServer(deep, handlers);
    const socket = (await readServerFile(deep))?.socket ?? '';
    expect(socket.startsWith(deep)).toBe(false);
    expect((await stat(dirname(socket))).mode & 0o777).toBe(0o700);
    const connected = await connectToServer(deep);
    expect(connected && (await ask(connected, { request: 'status' }))).toMatchObject({ pid: process.pid });
    await deepServer.close();
    expect(existsSync(dirname(socket))).toBe(false);
  });

  it('moves to another folder if the data directory can hold no socket', async () => {
    await mkdir(join(folder, 'control.sock', 'in the way'), { recursive: true });
    server = await startControlServer(folder, handlers);
    expect(dirname((await readServerFile(folder))?.socket ?? '')).not.toBe(folder);
    expect(await request({ request: 'status' })).toMatchObject({ pid: process.pid });
  });

  it('takes the place of a server that was killed', async () => {
    await writeServerFile(folder, { pid: 999_999_999, socket: join(folder, 'control.sock') });
    await writeFile(join(folder, 'control.sock'), '');
    expect(await connectToServer(folder)).toBeNull();
    server = await startControlServer(folder, handlers);
    expect(await request({ request: 'status' })).toMatchObject({ pid: process.pid });
  });

  it('ignores an incomplete server.json', async () => {
    await writeFile(join(folder, 'server.json'), '{"pid": 12');
    expect(await connectToServer(folder)).toBeNull();
  });
});
