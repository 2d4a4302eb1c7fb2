import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { UploadSweeper } from '../../../src/features/uploads/log/upload-sweeper.js';
import { DeactivateUser } from '../../../src/features/users/domain/activity.js';
import { eventually } from '../../support/eventually.js';
import { animatedGif, flatPng, hugePng, png } from '../../support/pictures.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { SlowPicture, sendPictures } from '../../support/requests/picture-uploads.js';
import { ask, filesAreOnDisk, filesOnDisk, uploaded } from '../../support/requests/uploads.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const MIB = 1024 * 1024;
const PATH = '/users/me/avatar';
const UPLOADED = /^\/user_avatars\/1\/\d+\/[\w-]{24}\.png\?v=\d+$/;

describe('avatars over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let cordelia: Member;
  let hamlet: Member;
  let dot: Buffer;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [cordelia, hamlet] = [await annals.user('cordelia'), await annals.user('hamlet')];
    dot = await flatPng(30, 10);
  });
  afterAll(() => annals.stop());

  const change = (who: Pick<Member, 'email' | 'apiKey'>, ...pictures: Buffer[]) =>
    sendPictures(annals.url, who, PATH, ...pictures);
  const changed = async (who: Pick<Member, 'email' | 'apiKey'>, picture = dot): Promise<string> =>
    (await change(who, picture)).body.avatar_url;
  const remove = (who: Member) => who.api.delete(PATH);
  const mediumOf = (url: string) => url.replace('.png', '-medium.png');
  const statusOf = async (url: string) => (await ask(annals.url, url, null)).status;
  const queueOf = (who: Member, more: object = {}) =>
    EventQueue.register(who.api, { event_types: ['realm_user', 'realm_bot'], ...more });
  const bot = async (name: string) => {
    const { body } = await cordelia.api.post('/bots', { full_name: name, short_name: name, bot_type: 1 });
    const { email } = (await cordelia.api.get(`/users/${body.user_id}`)).body.user;
    return { id: body.user_id as number, email: email as string, apiKey: body.api_key as string };
  };

  it('are uploaded, told to everybody, shown everywhere, and served to everybody', async () => {
    const { body: sent } = await cordelia.api.post('/messages', { type: 'direct', to: [hamlet.id], content: 'before' });
    const queue = await queueOf(hamlet);
    const head = await annals.head();
    const { status, body } = await change(cordelia, await png(60, 30));
    expect([status, body]).toEqual([200, { result: 'success', msg: '', avatar_url: expect.stringMatching(UPLOADED) }]);
    const { avatar_url: url } = body;
    const person = {
      user_id: cordelia.id,
      avatar_url: url,
      avatar_source: 'U',
      avatar_url_medium: mediumOf(url),
      avatar_version: 2,
    };
    expect(await told(queue)).toEqual([{ type: 'realm_user', op: 'update', person }]);
    expect(await annals.events(`avatar-${cordelia.id}`, head)).toMatchObject([
      { type: 'AvatarChanged', data: { userId: cordelia.id, version: 2, previousFileId: null } },
    ]);

    const shown = { avatar_url: url, avatar_version: 2 };
    expect((await cordelia.api.get('/users/me')).body).toMatchObject(shown);
    expect((await hamlet.api.get(`/users/${cordelia.id}`)).body.user).toMatchObject(shown);
    const { members } = (await hamlet.api.get('/users')).body;
    expect(members.find((one: { user_id: number }) => one.user_id === cordelia.id)).toMatchObject(shown);
    expect((await hamlet.api.get(`/messages/${sent.id}`)).body.message.avatar_url).toBe(url);
    const { body: state } = await cordelia.api.post('/register', { fetch_event_types: ['realm_user', 'realm'] });
    expect(state.realm_users).toContainEqual(expect.objectContaining({ user_id: cordelia.id, ...shown }));
    expect(state).toMatchObject({
      avatar_url: url,
      avatar_url_medium: mediumOf(url),
      avatar_source: 'U',
      max_avatar_file_size_mib: 5,
      realm_avatar_changes_disabled: false,
      server_avatar_changes_disabled: false,
    });

    for (const [path, side] of [
      [url, 100],
      [mediumOf(url), 500],
    ]) {
      const picture = await ask(annals.url, path, null);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width: side, height: side });
    }
    expect((await ask(annals.url, url, null, { method: 'HEAD' })).status).toBe(200);
    for (const [path, to] of [
      [`/avatar/${cordelia.id}`, url],
      [`/avatar/${cordelia.email}/medium`, mediumOf(url)],
    ])
      expect((await ask(annals.url, path, hamlet)).headers.get('location')).toBe(to);
  });

  it('are the only files that their path serves', async () => {
    const url = await changed(cordelia);
    const [, , fileId] = (await uploaded(annals.url, cordelia)).split('/').slice(-4);
    for (const path of [
      `${cordelia.id}/${fileId}.png`,
      `${cordelia.id}/x.png`,
      `${cordelia.id}/${'x'.repeat(24)}.png`,
      `999999/${'x'.repeat(24)}.png`,
      url.replace('/user_avatars/1/', '').replace(`${cordelia.id}/`, `${hamlet.id}/`),
      url.replace('/user_avatars/1/', '').replace('.png', '.webp'),
    ])
      expect([path, await statusOf(`/user_avatars/1/${path}`)]).toEqual([path, 404]);
    expect(await statusOf('/user_avatars/1/x/y.png')).toBeGreaterThanOrEqual(400);
    expect(await statusOf(url)).toBe(200);
  });

  it('that are replaced or removed are gone with their pictures, and the default avatar is back', async () => {
    const { kept } = await filesOnDisk(annals.dataDirectory);
    const first = await changed(hamlet);
    const second = await changed(hamlet, await animatedGif(200, 100, 3));
    expect(second).not.toBe(first);
    for (const url of [first, mediumOf(first)]) expect(await statusOf(url)).toBe(404);
    for (const url of [second, mediumOf(second)]) expect(await statusOf(url)).toBe(200);
    if (filesAreOnDisk) expect((await filesOnDisk(annals.dataDirectory)).kept).toHaveLength(kept.length + 2);

    const queues = [await queueOf(cordelia), await queueOf(owner, { client_gravatar: false })];
    const { avatar_url: gravatar } = (await remove(hamlet)).body;
    expect(gravatar).toContain('gravatar.com');
    const person = {
      user_id: hamlet.id,
      avatar_url: gravatar,
      avatar_source: 'G',
      avatar_url_medium: gravatar,
      avatar_version: 4,
    };
    for (const queue of queues) expect(await told(queue)).toEqual([{ type: 'realm_user', op: 'update', person }]);
    for (const url of [second, mediumOf(second)]) expect(await statusOf(url)).toBe(404);
    expect(await filesOnDisk(annals.dataDirectory)).toEqual({ kept, incoming: [] });
    const read = async (client_gravatar: boolean) =>
      (await cordelia.api.get(`/users/${hamlet.id}`, { client_gravatar })).body.user.avatar_url;
    expect([await read(true), await read(false)]).toEqual([null, gravatar]);

    const head = await annals.head();
    expect((await remove(hamlet)).body.avatar_url).toBe(gravatar);
    expect(await annals.head()).toBe(head);
  });

  it('of three uploads at the same moment are one, and no picture is left over', async () => {
    const { kept } = await filesOnDisk(annals.dataDirectory);
    const urls = await Promise.all([dot, dot, dot].map((picture) => changed(owner, picture)));
    const { body } = await owner.api.get('/users/me');
    expect(urls).toContain(body.avatar_url);
    // An answer names the present avatar, which can be that of a later upload by then.
    for (const url of new Set(urls)) expect(await statusOf(url)).toBe(url === body.avatar_url ? 200 : 404);
    if (filesAreOnDisk) expect((await filesOnDisk(annals.dataDirectory)).kept).toHaveLength(kept.length + 2);
    await remove(owner);
  });

  it('stay with the address, and with an account that is deactivated', async () => {
    const leaver = await annals.user('leaver');
    const url = await changed(leaver);
    await annals.execute(new DeactivateUser({ userId: leaver.id, notice: null, by }));
    expect(await statusOf(url)).toBe(200);
    expect((await hamlet.api.get(`/users/${leaver.id}`)).body.user.avatar_url).toBe(url);
  });

  it('of bots are changed by the bots, and told to their keepers too', async () => {
    const robot = await bot('robot');
    const queue = await queueOf(cordelia);
    const url = await changed(robot);
    expect(await told(queue)).toEqual([
      { type: 'realm_user', op: 'update', person: expect.objectContaining({ user_id: robot.id, avatar_url: url }) },
      { type: 'realm_bot', op: 'update', bot: { user_id: robot.id, avatar_url: url } },
    ]);
    expect((await cordelia.api.get('/bots')).body.bots).toContainEqual(expect.objectContaining({ avatar_url: url }));
    const { realm_bots } = (await cordelia.api.post('/register', { fetch_event_types: ['realm_bot'] })).body;
    expect(realm_bots).toContainEqual(expect.objectContaining({ user_id: robot.id, avatar_url: url }));
  });

  it('are changed by administrators alone where the organization says so', async () => {
    await changed(cordelia);
    expect((await owner.api.patch('/realm', { avatar_changes_disabled: true })).status).toBe(200);
    const files = await filesOnDisk(annals.dataDirectory);
    const disabled = {
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Avatar changes are disabled in this organization.' },
    };
    expect(await change(cordelia, dot)).toMatchObject(disabled);
    expect(await remove(cordelia)).toMatchObject(disabled);
    expect(await filesOnDisk(annals.dataDirectory)).toEqual(files);
    expect((await change(owner, dot)).status).toBe(200);
    expect((await remove(owner)).status).toBe(200);
    expect((await owner.api.patch('/realm', { avatar_changes_disabled: false })).status).toBe(200);
  });

  it('need one picture of a size that can be shown, and nothing else is stored', async () => {
    const [head, files] = [await annals.head(), await filesOnDisk(annals.dataDirectory)];
    const refused = async (...pictures: Buffer[]) => {
      const { status, body } = await change(cordelia, ...pictures);
      return [status, body.msg];
    };
    const notOne = [400, 'You must upload exactly one avatar.'];
    expect(await refused()).toEqual(notOne);
    expect(await refused(dot, dot)).toEqual(notOne);
    const { status, body } = await cordelia.api.post(PATH, { file: 'words' });
    expect([status, body.msg]).toEqual(notOne);
    expect(await refused(Buffer.from('no picture'))).toEqual([400, 'Invalid image format']);
    expect(await refused(Buffer.alloc(0))).toEqual([400, 'Invalid image format']);
    expect(await refused(hugePng(50_000, 50_000))).toEqual([400, 'Image size exceeds limit.']);
    const large = Buffer.concat([dot, Buffer.alloc(5 * MIB)]);
    expect(await refused(large)).toEqual([400, 'The file is larger than the limit of 5 MiB']);
    expect((await ask(annals.url, `/api/v1${PATH}`, null, { method: 'POST' })).status).toBe(401);
    expect(await annals.head()).toBe(head);
    expect(await filesOnDisk(annals.dataDirectory)).toEqual(files);
  });

  it.each([PATH, '/realm/icon', '/realm/logo?night=false', '/realm/emoji/cut'])(
    'and other pictures are refused if the body ends early: %s',
    async (path) => {
      const [head, files] = [await annals.head(), await filesOnDisk(annals.dataDirectory)];
      const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      const body = new Uint8Array(Buffer.concat([Buffer.from(start), dot]));
      const answer = await ask(annals.url, `/api/v1${path}`, owner, { method: 'POST', body, headers });
      expect([answer.status, answer.body.msg]).toEqual([400, 'Malformed multipart body']);
      expect(await annals.head()).toBe(head);
      expect(await filesOnDisk(annals.dataDirectory)).toEqual(files);
    },
  );

  it('are made when all of the picture is there: slow clients keep nobody waiting', async () => {
    const [slowly, quickly] = [await annals.user('slowly'), await annals.user('quickly')];
    const { kept } = await filesOnDisk(annals.dataDirectory);
    const slow = await Promise.all(Array.from({ length: 4 }, () => SlowPicture.begin(annals.url, slowly, PATH, dot)));
    expect((await change(quickly, dot)).status).toBe(200);
    const answers = await Promise.all(slow.map((upload) => upload.finish()));
    expect(answers).toEqual([200, 200, 200, 200]);
    await Promise.all([remove(slowly), remove(quickly)]);
    if (filesAreOnDisk) expect(await filesOnDisk(annals.dataDirectory)).toEqual({ kept, incoming: [] });
  });

  it('survive a restart, a rebuild and the sweeper; pictures that a crash left behind are removed', async () => {
    const old = await changed(hamlet);
    const [, gone = ''] = /([\w-]{24})\.png/.exec(old) ?? [];
    const folder = join(annals.dataDirectory, 'uploads');
    if (filesAreOnDisk) await copyFile(join(folder, gone), join(annals.dataDirectory, 'copy'));
    const url = await changed(hamlet);
    const { kept } = await filesOnDisk(annals.dataDirectory);
    await annals.restart(async () => {
      await annals.removeDocuments();
      // As if the process had ended before it committed the pictures.
      for (const name of kept) await rename(join(folder, name), join(folder, 'incoming', name));
      // As if the process had ended before it removed the replaced picture.
      if (filesAreOnDisk) await rename(join(annals.dataDirectory, 'copy'), join(folder, gone));
    });
    expect((await hamlet.api.get('/users/me')).body.avatar_url).toBe(url);
    await annals.app.get(UploadSweeper).sweep();
    for (const path of [url, mediumOf(url)]) expect(await statusOf(path)).toBe(200);
    expect(await statusOf(old)).toBe(404);
    await eventually(async () => expect(await filesOnDisk(annals.dataDirectory)).toEqual({ kept, incoming: [] }));
  });
});
