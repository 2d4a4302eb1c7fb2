import { describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../src/app/roles/read-side.js';
import { SqliteContentKeys } from '../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { keyOfMessage } from '../support/engines/keys-in.js';
import { eventually } from '../support/eventually.js';
import { filesWith } from '../support/files-with.js';
import { Api } from '../support/requests/api.js';
import { Annals } from '../support/servers/annals.js';
import { RunningServer, temporaryDataDirectory } from '../support/servers/running-server.js';

/** Texts that are too long for chance finds, and that begin differently. */
const FIRST = 'quokka-of-the-first-revision';
const SECOND = 'narwhal-of-the-second-revision';
const KEPT = 'pangolin-that-nobody-deletes';

const CONTENT = [FIRST, SECOND].map((text) => Buffer.from(text));

async function sendAndEdit(api: Api, neighbours = 50): Promise<number> {
  const channel = { type: 'channel', to: 'general', topic: 'content' };
  const fill = async () => {
    for (let n = 0; n < neighbours; n++) await api.post('messages', { ...channel, content: `${KEPT} ${n}`.repeat(9) });
  };
  await fill();
  const { id } = await api.post('messages', { ...channel, content: `${FIRST} *marked up*` });
  await fill();
  const response = await fetch(`${api.credentials.site}/api/v1/messages/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${Buffer.from(`${api.credentials.email}:${api.credentials.key}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ content: SECOND }),
  });
  expect(((await response.json()) as { msg: string }).msg).toBe('');
  return id as number;
}

describe('the content of a deleted message, and its key,', () => {
  it('are in no file when the deletion is answered, nor after a kill and a restart', async () => {
    const data = await temporaryDataDirectory();
    let server = await RunningServer.start(data.path);
    try {
      await server.caughtUp();
      const api = new Api(await server.owner());
      const id = await sendAndEdit(api);
      const key = (await keyOfMessage(data.path, id)).bytes;
      expect(await filesWith(data.path, CONTENT)).not.toEqual([]);
      expect(await filesWith(data.path, [key])).not.toEqual([]);

      expect(await api.delete(`messages/${id}`)).toMatchObject({ result: 'success' });
      expect(await filesWith(data.path, [...CONTENT, key])).toEqual([]);
      expect(await filesWith(data.path, [Buffer.from(KEPT)])).not.toEqual([]);

      await server.kill();
      expect(await filesWith(data.path, [...CONTENT, key])).toEqual([]);
      server = await RunningServer.start(data.path);
      await server.caughtUp();
      expect(await new Api(await server.owner()).get(`messages/${id}`)).toMatchObject({ msg: 'Invalid message(s)' });
      await server.stop();
      expect(await filesWith(data.path, [...CONTENT, key])).toEqual([]);
    } finally {
      await server.stop();
      await data.remove();
    }
  });

  it('are gone after a rebuild that ran during the deletion', async () => {
    const annals = await Annals.start();
    try {
      const api = await annals.ownerApi();
      const id = await sendAndEdit(api);
      const key = (await keyOfMessage(annals.dataDirectory, id)).bytes;
      const rebuilt = annals.app.get<ReadSide>(READ_SIDE).rebuild(['messages'], () => {});
      expect(await api.delete(`messages/${id}`)).toMatchObject({ result: 'success' });
      await rebuilt;
      expect(await filesWith(annals.dataDirectory, [...CONTENT, key])).toEqual([]);
    } finally {
      await annals.stop();
    }
  });

  it('are erased again after keys were restored from a backup', async () => {
    const annals = await Annals.start();
    try {
      const api = await annals.ownerApi();
      const id = await sendAndEdit(api, 1);
      const key = (await keyOfMessage(annals.dataDirectory, id)).bytes;
      expect(await api.delete(`messages/${id}`)).toMatchObject({ result: 'success' });
      const [sent] = (await annals.events('messages')).filter(({ revision }) => revision === id - 1);
      await annals.restart(async () => {
        const keys = await SqliteContentKeys.open(annals.dataDirectory);
        await keys.putIfAbsent(sent?.id as string, key);
        await keys.close();
      });
      await eventually(async () => {
        expect(await filesWith(annals.dataDirectory, [...CONTENT, key])).toEqual([]);
      });
    } finally {
      await annals.stop();
    }
  });
});
