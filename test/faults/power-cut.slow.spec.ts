import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OwnFileSystem } from '../support/outside/file-system.js';
import { Api, ConnectionLost } from '../support/requests/api.js';
import { run } from '../support/servers/command-line.js';
import { RunningServer } from '../support/servers/running-server.js';

const CUTS = 2;
const AT_ONCE = 16;
/** More than the writes after which a thread of their own stores the documents. */
const ACKNOWLEDGED = 700;

const disk = await OwnFileSystem.create();
const whereItCanBe = disk ? it : it.skip;

let server: RunningServer | undefined;

afterAll(async () => {
  await server?.kill();
  await disk?.remove();
});

beforeAll(async () => {
  if (disk) server = await RunningServer.start(disk.path);
});

/** Sends until the server is gone or refuses. @param acknowledged contents by id: those of messages that were acknowledged */
async function sendOn(api: Api, sender: number, acknowledged: Map<number, string>, enough: () => void): Promise<void> {
  for (let n = 0; ; n++) {
    const content = `cut ${acknowledged.size} of ${sender}, message ${n}`;
    const answer = await api
      .post('messages', { type: 'channel', to: 'general', topic: `of ${sender}`, content })
      .catch((error: unknown) => {
        if (error instanceof ConnectionLost) return null;
        throw error;
      });
    if (answer?.result !== 'success') return;
    acknowledged.set(answer.id as number, content);
    if (acknowledged.size === ACKNOWLEDGED) enough();
  }
}

async function contents(api: Api): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (let anchor = 0, isLast = false; !isLast; ) {
    const page = await api.get('messages', { anchor, num_before: 0, num_after: 1000, apply_markdown: false });
    const messages = page.messages as { id: number; content: string }[];
    for (const { id, content } of messages) found.set(id, content);
    anchor = (messages.at(-1)?.id ?? anchor) + 1;
    isLast = page.found_newest === true;
  }
  return found;
}

whereItCanBe(
  'a power cut while 16 send loses no message that was acknowledged',
  async () => {
    if (!disk) return;
    for (let cut = 1; cut <= CUTS; cut++) {
      if (!server) throw new Error('no server');
      const api = new Api(await server.owner());
      await api.post('users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
      const acknowledged = new Map<number, string>();
      const enough = new Promise<void>((resolve) => {
        const senders = Array.from({ length: AT_ONCE }, (_, n) => sendOn(api, n, acknowledged, resolve));
        // A server that refuses everything would send nothing more.
        void Promise.all(senders).then(() => resolve());
      });
      const cutPower = await disk.powerSwitch();
      await enough;
      // A real server is dead when the power is. This one may yet be told that a file is on the disk, and acknowledge.
      const before = [...acknowledged];
      await cutPower();
      await server.kill();
      await disk.mountAgain();
      expect(before.length).toBeGreaterThanOrEqual(ACKNOWLEDGED);
      server = await (await RunningServer.start(disk.path)).caughtUp();
      const found = await contents(api.at(server.url));
      expect(before.filter(([id, content]) => found.get(id) !== content)).toEqual([]);
    }
    await server?.stop();
    expect(await run(['verify'], { ANNALS_DATA_DIR: disk.path })).toMatchObject({ code: 0 });
  },
  600_000,
);
