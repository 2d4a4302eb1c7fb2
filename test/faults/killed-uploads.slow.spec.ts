import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ownEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/requests/api.js';
import { ask, fileOf, filesAreOnDisk, filesOnDisk, upload } from '../support/requests/uploads.js';
import { killedAt as kill, type Side } from '../support/servers/killed-at.js';
import { RunningServer } from '../support/servers/running-server.js';

type Asked = Pick<Side, 'api' | 'dataDirectory'>;

const FIRST = Buffer.alloc(300_000, 1);
const SECOND = Buffer.alloc(400_000, 2);

const accountOf = ({ api: { credentials } }: Asked) => ({ email: credentials.email, apiKey: credentials.key });
const urlOf = ({ api: { credentials } }: Asked) => credentials.site;
const send = (side: Asked, bytes: Buffer, name: string) => upload(urlOf(side), accountOf(side), fileOf(bytes, name));
const attachmentsOf = async (side: Asked): Promise<{ id: number; name: string; path_id: string }[]> =>
  (await ask(urlOf(side), '/api/v1/attachments', accountOf(side))).body.attachments;
const bytesOf = (side: Asked, path: string) => ask(urlOf(side), path, accountOf(side));

const stored = ({ dataDirectory }: Asked) => filesOnDisk(dataDirectory);

/** Uploads a file, runs `work` against the server that is killed at `point`, then `check` against a new server. */
const killedAt = (
  point: string,
  work: (side: Side) => Promise<unknown>,
  check: (side: Asked, url: string) => Promise<void>,
): Promise<void> =>
  kill(point, {
    prepare: async (side) => (await send(side, FIRST, 'first.bin')).body.url as string,
    work: (side) => expect(work(side)).rejects.toThrow(),
    check,
  });

/** Expects that every listed file can be read, and that no other file is stored. */
async function expectWhole(side: Asked, url: string, names: readonly string[]): Promise<void> {
  expect((await bytesOf(side, url)).bytes.equals(FIRST)).toBe(true);
  const listed = await attachmentsOf(side);
  expect(listed.map(({ name }) => name)).toEqual(names);
  for (const { path_id } of listed.slice(1))
    expect((await bytesOf(side, `/user_uploads/${path_id}`)).bytes.equals(SECOND)).toBe(true);
  if (!filesAreOnDisk) return;
  await eventually(async () =>
    expect(await stored(side)).toEqual({
      kept: listed.map(({ path_id }) => path_id.split('/').at(-2)).sort(),
      incoming: [],
    }),
  );
}

describe('an upload whose server is killed', () => {
  it.each([
    ['after its bytes are stored, before its event', 'received', ['first.bin']],
    ['after its event is appended, before its bytes are kept', 'appended:uploads', ['first.bin', 'second.bin']],
  ])('%s leaves no incomplete file', async (_, point, names) => {
    await killedAt(
      point,
      (side) => send(side, SECOND, 'second.bin'),
      (side, url) => expectWhole(side, url, names),
    );
  });

  it('within its bytes leaves no file', async () => {
    const half = async (side: Side): Promise<void> => {
      const { email, apiKey } = accountOf(side);
      const sending = request(`${urlOf(side)}/api/v1/user_uploads`, {
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
          const { size } = await stat(join(side.dataDirectory, 'uploads', 'incoming', name));
          expect(size).toBeGreaterThan(100_000);
        });
      await side.kill();
      await lost;
    };
    await killedAt('none', half, (side, url) => expectWhole(side, url, ['first.bin']));
  });
});

it('a deletion whose server is killed is finished at the next start', async () => {
  const remove = async (side: Asked) => {
    const [first] = await attachmentsOf(side);
    return ask(urlOf(side), `/api/v1/attachments/${first?.id}`, accountOf(side), { method: 'DELETE' });
  };
  await killedAt('appended:upload-', remove, async (side, url) => {
    expect(await attachmentsOf(side)).toEqual([]);
    expect((await bytesOf(side, url)).status).toBe(404);
    if (filesAreOnDisk) await eventually(async () => expect(await stored(side)).toEqual({ kept: [], incoming: [] }));
  });
});

const onOwnDisk = filesAreOnDisk ? it : it.skip;

onOwnDisk(
  'an upload to a full disk is answered with 503 and leaves no file, and succeeds when there is space',
  async () => {
    const engines = await ownEngines();
    const server = await RunningServer.start(engines.dataDirectory, engines.environment);
    try {
      await server.caughtUp();
      const side = { api: new Api(await server.owner()), dataDirectory: engines.dataDirectory };
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
