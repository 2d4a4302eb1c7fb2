import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FILE_STORE, type FileStore } from '../../../src/platform/file-store/file-store.js';
import { animatedGif, flatPng, png } from '../../support/pictures.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';
import { ask, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DAMAGED = { status: 500, body: { result: 'error', code: 'FILE_DAMAGED' } };
const BYTES = 5_000;

describe('a stored file that is damaged', () => {
  let annals: Annals;
  let cordelia: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_LOG_LEVEL: 'silent' });
    cordelia = await annals.user('cordelia');
  });
  afterAll(() => annals.stop());

  const files = (): FileStore => annals.app.get<FileStore>(FILE_STORE);
  const get = (path: string, headers: Record<string, string> = {}) => ask(annals.url, path, cordelia, { headers });
  const fileIdOf = (url: string): string => url.split('/').at(-2) ?? '';
  const bytesOf = async (fileId: string): Promise<Buffer> => {
    const file = await files().read(fileId);
    if (!file) throw new Error('there is no such file');
    return buffer(file.content);
  };
  /** Changes the bytes behind the server's back; null: removes them. */
  async function change(fileId: string, to: ((bytes: Buffer) => Buffer) | null): Promise<Buffer> {
    const bytes = await bytesOf(fileId);
    await files().remove([fileId]);
    if (to) await put(fileId, to(bytes));
    return bytes;
  }
  async function put(fileId: string, bytes: Buffer): Promise<void> {
    await files().remove([fileId]);
    await files().receive(fileId, Readable.from([bytes]));
    await files().commit(fileId);
  }
  const flipped = (bytes: Buffer): Buffer => {
    const others = Buffer.from(bytes);
    others.writeUInt8(others.readUInt8(7) ^ 1, 7);
    return others;
  };
  const damaged = async () => {
    return (await annals.health()).damagedFiles;
  };
  const event = async (fileId: string) => {
    const found = (await annals.events()).find(({ data }) => Object.values(data).includes(fileId));
    if (!found) throw new Error('no event names it');
    const { type, id: eventId, stream, revision } = found;
    return { type, eventId, stream, revision, at: expect.any(Number) };
  };

  it.each([
    ['has another bit', 'changed', flipped],
    ['is shorter', 'changed', (bytes: Buffer) => bytes.subarray(1)],
    ['is longer', 'changed', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
    ['is missing', 'missing', null],
  ] as const)('is never served where it %s, and health names its event', async (_, fault, to) => {
    const url = await uploaded(annals.url, cordelia, randomBytes(BYTES), 'b.bin');
    const fileId = fileIdOf(url);
    const { body } = await get(`/api/v1${url}`);
    const bytes = await change(fileId, to);
    for (const path of [url, url.replace('/user_uploads/', '/user_uploads/download/'), body.url]) {
      expect(await get(path)).toMatchObject(DAMAGED);
      expect(await get(path, { Range: 'bytes=100-199' })).toMatchObject(DAMAGED);
    }
    expect((await damaged())[0]).toEqual({ fault, ...(await event(fileId)) });
    expect(JSON.stringify(await damaged())).not.toContain(fileId);
    await put(fileId, bytes);
    await annals.restart();
    expect((await get(url)).bytes.equals(bytes)).toBe(true);
    expect(await damaged()).toEqual([]);
  });

  it('is not served where it was served before, and has another size now', async () => {
    const url = await uploaded(annals.url, cordelia, randomBytes(BYTES), 'b.bin');
    expect((await get(url)).status).toBe(200);
    const bytes = await change(fileIdOf(url), (right) => right.subarray(1));
    expect(await get(url)).toMatchObject(DAMAGED);
    await put(fileIdOf(url), bytes);
  });

  it('is found once by many who ask at the same time, and no other file suffers', async () => {
    const [bad, good] = [
      await uploaded(annals.url, cordelia, randomBytes(BYTES), 'bad.bin'),
      await uploaded(annals.url, cordelia, randomBytes(BYTES), 'good.bin'),
    ];
    await change(fileIdOf(bad), flipped);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => get(n % 2 === 0 ? bad : good)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 2 === 0 ? 500 : 200)));
  });

  it('is made into no smaller picture', async () => {
    const url = await uploaded(annals.url, cordelia, await png(900, 600), 'p.png', 'image/png');
    await change(fileIdOf(url), flipped);
    const thumbnail = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
    expect(await get(thumbnail)).toMatchObject(DAMAGED);
  });

  it('is told from one that was deleted', async () => {
    const url = await uploaded(annals.url, cordelia, 'about to be deleted', 'd.txt');
    const { attachments } = (await cordelia.api.get('/attachments')).body;
    const { id } = attachments.find(({ path_id }: { path_id: string }) => path_id.includes(fileIdOf(url)));
    await cordelia.api.delete(`/attachments/${id}`);
    expect(await get(url)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it.each([
    ['has another bit', 'changed', flipped],
    ['is missing', 'missing', null],
  ] as const)('is not served where it is an avatar, an emoji, an icon or a logo and %s', async (_, fault, to) => {
    const owner = await annals.owner();
    const before = await annals.head();
    await sendPictures(annals.url, cordelia, '/users/me/avatar', await flatPng(30, 10));
    await sendPictures(annals.url, owner, `/realm/emoji/${fault}`, await animatedGif(20, 20, 3));
    for (const path of ['icon', 'logo?night=false', 'logo?night=true'])
      await sendPictures(annals.url, owner, `/realm/${path}`, await flatPng(30, 10));
    const urls = await urlsOfPictures(fault);
    const fileIds = (await annals.events(undefined, before)).flatMap(({ data }) =>
      ['fileId', 'mediumFileId', 'stillFileId'].flatMap((field) => Reflect.get(data, field) ?? []),
    );
    expect(fileIds).toHaveLength(urls.length);
    for (const fileId of fileIds) await change(fileId, to);
    for (const [n, url] of urls.entries()) {
      expect(await get(url)).toMatchObject(DAMAGED);
      expect((await damaged())[0]).toEqual({ fault, ...(await event(fileIds[n])) });
    }
  });

  /** In the order of the events. */
  async function urlsOfPictures(emojiName: string): Promise<readonly string[]> {
    const { avatar_url } = (await cordelia.api.get('/users/me')).body;
    const { emoji } = (await cordelia.api.get('/realm/emoji')).body;
    const { source_url = '', still_url = '' } =
      Object.values<Record<string, string>>(emoji).find(({ name }) => name === emojiName) ?? {};
    const { body: state } = await cordelia.api.post('/register', { fetch_event_types: ['realm'] });
    return [
      ...[avatar_url, avatar_url.replace('.png', '-medium.png')],
      ...[source_url, still_url],
      ...[state.realm_icon_url, state.realm_logo_url, state.realm_night_logo_url],
    ];
  }
});
