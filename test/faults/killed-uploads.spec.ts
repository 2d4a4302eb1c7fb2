import { execFileSync } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { type OwnEngines, ownEngines } from '../support/own-engines.js';
import { RunningServer } from '../support/running-server.js';
import { ask, fileOf, filesAreOnDisk, filesOnDisk, upload } from '../support/uploads.js';

const FAULTY = fileURLToPath(new URL('../support/faulty-server.js', import.meta.url));
const FIRST = Buffer.alloc(300_000, 1);
const SECOND = Buffer.alloc(400_000, 2);
interface Side {
  readonly server: RunningServer;
  readonly engines: OwnEngines;
}

const accountOf = async ({ server }: Side) => {
  const { email, key } = await server.owner();
  return { email, apiKey: key };
};
const send = async (side: Side, bytes: Buffer, name: string) =>
  upload(side.server.url, await accountOf(side), fileOf(bytes, name));
const attachmentsOf = async (side: Side): Promise<{ id: number; name: string; path_id: string }[]> =>
  (await ask(side.server.url, '/api/v1/attachments', await accountOf(side))).body.attachments;
const bytesOf = async (side: Side, path: string) => ask(side.server.url, path, await accountOf(side));

const stored = ({ engines }: Side) => filesOnDisk(engines.dataDirectory);

/** A server that dies at `point` in the middle of `work`, after a file has been uploaded; then one started anew. */
async function killedAt(
  point: string,
  work: (side: Side, url: string) => Promise<unknown>,
  check: (side: Side, url: string) => Promise<void>,
): Promise<void> {
  const engines = await ownEngines();
  const { dataDirectory, environment } = engines;
  try {
    const faulty = await RunningServer.start(dataDirectory, environment, { file: FAULTY, args: [point] });
    await faulty.caughtUp();
    const side = { server: faulty, engines };
    const { url } = (await send(side, FIRST, 'first.bin')).body;
    await writeFile(join(dataDirectory, 'armed'), '');
    await expect(work(side, url)).rejects.toThrow();
    await faulty.ended();
    const server = await RunningServer.start(dataDirectory, environment);
    try {
      await server.caughtUp();
      await check({ server, engines }, url);
    } finally {
      await server.stop();
    }
  } finally {
    await engines.remove();
  }
}

/** Everything that is listed can be had, and nothing else is kept. */
async function expectWhole(side: Side, url: string, names: readonly string[]): Promise<void> {
  expect((await bytesOf(side, url)).bytes.equals(FIRST)).toBe(true);
  const listed = await attachmentsOf(side);
  expect(listed.map(({ name }) => name)).toEqual(names);
  for (const { path_id } of listed.slice(1))
    expect((await bytesOf(side, `/user_uploads/${path_id}`)).bytes.equals(SECOND)).toBe(true);
  if (!filesAreOnDisk) return;
  await eventually(async () =>
    expect(await stored(side)).toEqual({
      kept: listed.map(({ path_id }) => path_id.split('/')[1]).sort(),
      incoming: [],
    }),
  );
}

describe('an upload that is cut short', () => {
  it.each([
    ['when its bytes are there and its event is not', 'received', ['first.bin']],
    [
      'when its event is there and nobody has said that its bytes stay',
      'appended:uploads',
      ['first.bin', 'second.bin'],
    ],
  ])('%s leaves no file that is not whole', async (_, point, names) => {
    await killedAt(
      point,
      (side) => send(side, SECOND, 'second.bin'),
      (side, url) => expectWhole(side, url, names),
    );
  });

  it('amid its bytes leaves nothing', async () => {
    const half = async (side: Side): Promise<void> => {
      const { email, apiKey } = await accountOf(side);
      const sending = request(`${side.server.url}/api/v1/user_uploads`, {
        method: 'POST',
        auth: `${email}:${apiKey}`,
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      });
      const lost = new Promise<never>((_, reject) => sending.on('error', reject));
      lost.catch(() => {});
      sending.write('--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n');
      sending.write(SECOND);
      if (filesAreOnDisk)
        await eventually(async () => {
          const [name = 'none'] = (await stored(side)).incoming;
          const { size } = await stat(join(side.engines.dataDirectory, 'uploads', 'incoming', name));
          expect(size).toBeGreaterThan(100_000);
        });
      await side.server.kill();
      await lost;
    };
    await killedAt('none', half, (side, url) => expectWhole(side, url, ['first.bin']));
  });
});

it('a deletion that is cut short is finished at the next start', async () => {
  const remove = async (side: Side) => {
    const [first] = await attachmentsOf(side);
    return ask(side.server.url, `/api/v1/attachments/${first?.id}`, await accountOf(side), { method: 'DELETE' });
  };
  await killedAt('appended:upload-', remove, async (side, url) => {
    expect(await attachmentsOf(side)).toEqual([]);
    expect((await bytesOf(side, url)).status).toBe(404);
    if (filesAreOnDisk) await eventually(async () => expect(await stored(side)).toEqual({ kept: [], incoming: [] }));
  });
});

const onOwnDisk = filesAreOnDisk ? it : it.skip;

onOwnDisk(
  'a full disk refuses uploads with 503, keeps nothing of them, and takes them again when there is room',
  async () => {
    const engines = await ownEngines();
    const server = await RunningServer.start(engines.dataDirectory, engines.environment);
    try {
      await server.caughtUp();
      const side = { server, engines };
      const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`]);
      const { url } = (await send(side, FIRST, 'first.bin')).body;
      const before = await stored(side);
      limit('350000');
      const refused = await send(side, SECOND, 'second.bin');
      expect(refused).toMatchObject({ status: 503, body: { result: 'error', code: 'SERVICE_UNAVAILABLE' } });
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await stored(side)).toEqual(before);
      limit('unlimited');
      expect((await send(side, SECOND, 'second.bin')).status).toBe(200);
      await expectWhole(side, url, ['first.bin', 'second.bin']);
    } finally {
      await server.stop();
      await engines.remove();
    }
  },
);
