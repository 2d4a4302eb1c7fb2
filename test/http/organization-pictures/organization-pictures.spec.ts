import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { UploadSweeper } from '../../../src/features/uploads/log/upload-sweeper.js';
import { eventually } from '../../support/eventually.js';
import { animatedGif, flatPng, hugePng, png } from '../../support/pictures.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';
import { ask, fileOf, filesAreOnDisk, filesOnDisk, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const MIB = 1024 * 1024;
const [DAY, NIGHT] = ['/realm/logo?night=false', '/realm/logo?night=true'];
const UPLOADED = /^\/user_avatars\/1\/realm\/(icon|logo|nightLogo)\/[\w-]{24}\.png\?version=\d+$/;

describe('pictures of the organization over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let hamlet: Member;
  let dot: Buffer;

  beforeAll(async () => {
    annals = await Annals.start();
    [owner, hamlet] = [await annals.owner(), await annals.user('hamlet')];
    dot = await flatPng(30, 10);
  });
  afterAll(() => annals.stop());

  const send = (path: string, ...pictures: Buffer[]) => sendPictures(annals.url, owner, path, ...pictures);
  const remove = (path: string, who = owner) => who.api.delete(path);
  const statusOf = async (url: string) => (await ask(annals.url, url, null)).status;
  const queueOf = (who: Member) => EventQueue.register(who.api, { event_types: ['realm'] });
  const state = async () => (await hamlet.api.post('/register', { fetch_event_types: ['realm'] })).body;
  /** Uploads a picture. @returns its URL */
  const changed = async (path: string, picture = dot): Promise<string> => {
    expect(await send(path, picture)).toMatchObject({ status: 200 });
    const { realm_icon_url, realm_logo_url, realm_night_logo_url } = await state();
    return path === DAY ? realm_logo_url : path === NIGHT ? realm_night_logo_url : realm_icon_url;
  };
  const redirect = async (path: string, who: Member | null = hamlet) => {
    const { status, headers } = await ask(annals.url, `/api/v1${path}`, who);
    return [status, headers.get('location')];
  };
  const sizeOf = async (url: string) => {
    const { status, headers, bytes } = await ask(annals.url, url, null);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    const { format, width, height } = await sharp(bytes).metadata();
    return [format, width, height];
  };

  it('are the default ones at first', async () => {
    const { realm_icon_url: icon, realm_logo_url: logo, realm_night_logo_url: night, ...rest } = await state();
    expect(rest).toMatchObject({
      realm_icon_source: 'G',
      realm_logo_source: 'D',
      realm_night_logo_source: 'D',
      max_icon_file_size_mib: 5,
      max_logo_file_size_mib: 5,
    });
    expect(icon).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon$/);
    expect((await annals.api.get('/server_settings')).body.realm_icon).toBe(icon);
    expect([await redirect('/realm/icon'), await redirect(DAY), await redirect(NIGHT)]).toEqual([
      [302, icon],
      [302, logo],
      [302, night],
    ]);
    expect(logo).not.toBe(night);
    for (const url of [logo, night]) {
      const { status, headers, bytes } = await ask(annals.url, url, null);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect((await sharp(bytes).metadata()).format).toBe('svg');
    }
  });

  it('are uploaded, told to everybody, and served to everybody', async () => {
    const [queue, head] = [await queueOf(hamlet), await annals.head()];
    const { status, body } = await send('/realm/icon', await png(60, 30));
    expect([status, body]).toEqual([200, { result: 'success', msg: '', icon_url: expect.stringMatching(UPLOADED) }]);
    expect((await send(DAY, await png(1600, 100))).body).toEqual({ result: 'success', msg: '' });
    expect((await send(NIGHT, await animatedGif(100, 200, 3))).status).toBe(200);
    const shown = await state();
    const { realm_icon_url: icon, realm_logo_url: logo, realm_night_logo_url: night } = shown;
    expect(shown).toMatchObject({ realm_icon_source: 'U', realm_logo_source: 'U', realm_night_logo_source: 'U' });
    expect(icon).toBe(body.icon_url);
    const dict = (property: string, data: object) => ({ type: 'realm', op: 'update_dict', property, data });
    expect(await told(queue)).toEqual([
      dict('icon', { icon_url: icon, icon_source: 'U' }),
      dict('logo', { logo_url: logo, logo_source: 'U' }),
      dict('night_logo', { night_logo_url: night, night_logo_source: 'U' }),
    ]);
    expect(await annals.events('organizationPictures', head)).toMatchObject([
      { type: 'OrganizationPictureChanged', data: { picture: 'icon', version: 2, previousFileId: null } },
      { type: 'OrganizationPictureChanged', data: { picture: 'logo', version: 2, previousFileId: null } },
      { type: 'OrganizationPictureChanged', data: { picture: 'nightLogo', version: 2, previousFileId: null } },
    ]);
    expect((await annals.api.get('/server_settings')).body.realm_icon).toBe(icon);
    // A square, a logo at the bound of its width, and one that stands still at the bound of its height.
    expect([await sizeOf(icon), await sizeOf(logo), await sizeOf(night)]).toEqual([
      ['png', 100, 100],
      ['png', 800, 50],
      ['png', 50, 100],
    ]);
    expect((await ask(annals.url, icon, null, { method: 'HEAD' })).status).toBe(200);
    expect(await redirect('/realm/icon')).toEqual([302, icon]);
    expect(await redirect(NIGHT)).toEqual([302, night]);
    expect((await redirect('/realm/icon', null))[0]).toBe(401);
  });

  it('are the only files that their path serves', async () => {
    const url = await changed('/realm/icon');
    const fileId = (await uploaded(annals.url, owner)).split('/').at(-2);
    for (const path of [
      `icon/${fileId}.png`,
      'icon/x.png',
      `icon/${'x'.repeat(24)}.png`,
      `constructor/${'x'.repeat(24)}.png`,
      url.replace('/user_avatars/1/realm/icon', 'logo'),
      url.replace('/user_avatars/1/realm/', '').replace('.png', '.webp'),
    ])
      expect([path, await statusOf(`/user_avatars/1/realm/${path}`)]).toEqual([path, 404]);
    expect(await statusOf(url)).toBe(200);
  });

  it('that are replaced or removed are gone with their files, and the default is back', async () => {
    const first = await changed(DAY);
    const night = await changed(NIGHT);
    const { kept } = await filesOnDisk(annals.dataDirectory);
    const second = await changed(DAY, await png(90, 90));
    expect([await statusOf(first), await statusOf(second), await statusOf(night)]).toEqual([404, 200, 200]);
    if (filesAreOnDisk) expect((await filesOnDisk(annals.dataDirectory)).kept).toHaveLength(kept.length);

    const queue = await queueOf(hamlet);
    expect((await remove(DAY)).body).toEqual({ result: 'success', msg: '' });
    const { realm_logo_url: logo, realm_logo_source, realm_night_logo_source } = await state();
    expect([realm_logo_source, realm_night_logo_source]).toEqual(['D', 'U']);
    expect(await told(queue)).toEqual([
      { type: 'realm', op: 'update_dict', property: 'logo', data: { logo_url: logo, logo_source: 'D' } },
    ]);
    expect([await statusOf(second), await statusOf(night), await statusOf(logo)]).toEqual([404, 200, 200]);
    if (filesAreOnDisk) expect((await filesOnDisk(annals.dataDirectory)).kept).toHaveLength(kept.length - 1);

    const { icon_url: icon } = (await remove('/realm/icon')).body;
    expect(icon).toContain('gravatar.com');
    expect(await redirect('/realm/icon')).toEqual([302, icon]);
    const head = await annals.head();
    expect((await remove('/realm/icon')).body.icon_url).toBe(icon);
    expect((await remove(DAY)).status).toBe(200);
    expect(await annals.head()).toBe(head);
  });

  it('of two uploads at the same moment are one, and no file is left over', async () => {
    await remove('/realm/icon');
    const { kept } = await filesOnDisk(annals.dataDirectory);
    const answers = await Promise.all([dot, dot, dot].map((picture) => send('/realm/icon', picture)));
    const urls: string[] = answers.map(({ body }) => body.icon_url);
    expect(urls).toContain((await state()).realm_icon_url);
    const served = await Promise.all([...new Set(urls)].map(statusOf));
    expect(served.filter((status) => status === 200)).toHaveLength(1);
    if (filesAreOnDisk) expect((await filesOnDisk(annals.dataDirectory)).kept).toHaveLength(kept.length + 1);
  });

  it('become the logo that the client names, before the file or after it', async () => {
    for (const [names, is] of [
      [['night', 'file'], 'nightLogo'],
      [['file', 'night'], 'nightLogo'],
    ] as const) {
      const head = await annals.head();
      const body = new FormData();
      for (const name of names) body.append(name, name === 'night' ? 'true' : fileOf(dot, 'logo.png'));
      // A field of the body wins over the query string, as everywhere.
      const path = '/api/v1/realm/logo?night=false';
      const { status, body: answer } = await ask(annals.url, path, owner, { method: 'POST', body });
      expect([status, answer]).toEqual([200, { result: 'success', msg: '' }]);
      expect(await annals.events('organizationPictures', head)).toMatchObject([{ data: { picture: is } }]);
    }
  });

  it('are changed by administrators alone', async () => {
    const moderator = await annals.user('moderator', 300);
    const administrator = await annals.user('administrator', 200);
    const [head, files] = [await annals.head(), await filesOnDisk(annals.dataDirectory)];
    const refused = { status: 400, body: { msg: 'Must be an organization administrator' } };
    for (const path of ['/realm/icon', DAY, NIGHT]) {
      expect(await sendPictures(annals.url, moderator, path, dot)).toMatchObject(refused);
      expect(await remove(path, moderator)).toMatchObject(refused);
    }
    expect((await ask(annals.url, '/api/v1/realm/icon', null, { method: 'POST' })).status).toBe(401);
    expect(await annals.head()).toBe(head);
    expect(await filesOnDisk(annals.dataDirectory)).toEqual(files);
    expect((await sendPictures(annals.url, administrator, '/realm/icon', dot)).status).toBe(200);
    expect((await remove('/realm/icon', administrator)).status).toBe(200);
  });

  it('need one picture of a size that can be shown, and nothing else is stored', async () => {
    const [head, files] = [await annals.head(), await filesOnDisk(annals.dataDirectory)];
    const refused = async (path: string, ...pictures: Buffer[]) => {
      const { status, body } = await send(path, ...pictures);
      return [status, body.msg];
    };
    for (const [path, words] of [
      ['/realm/icon', 'You must upload exactly one icon.'],
      [DAY, 'You must upload exactly one logo.'],
    ] as const) {
      expect(await refused(path)).toEqual([400, words]);
      expect(await refused(path, dot, dot)).toEqual([400, words]);
      const { status, body } = await owner.api.post(path, { file: 'words' });
      expect([status, body.msg]).toEqual([400, words]);
      expect(await refused(path, Buffer.from('no picture'))).toEqual([400, 'Invalid image format']);
      expect(await refused(path, hugePng(50_000, 50_000))).toEqual([400, 'Image size exceeds limit.']);
      const large = Buffer.concat([dot, Buffer.alloc(5 * MIB)]);
      expect(await refused(path, large)).toEqual([400, 'The file is larger than the limit of 5 MiB']);
    }
    expect(await refused('/realm/logo', dot)).toEqual([400, "Missing 'night' argument"]);
    expect(await refused('/realm/logo?night=dark', dot)).toEqual([400, 'night is not valid JSON']);
    const body = new FormData();
    body.append('file', fileOf(dot, 'logo.png'));
    body.append('night', '"dark"');
    const badField = await ask(annals.url, '/api/v1/realm/logo', owner, { method: 'POST', body });
    expect(badField).toMatchObject({ status: 400, body: { msg: 'night is not a boolean' } });
    for (const path of ['/realm/logo', '/realm/logo?night=1']) {
      expect((await remove(path)).status).toBe(400);
      expect((await redirect(path))[0]).toBe(400);
    }
    expect(await annals.head()).toBe(head);
    expect(await filesOnDisk(annals.dataDirectory)).toEqual(files);
  });

  it('survive a restart, a rebuild and the sweeper; files that a crash left behind are removed', async () => {
    const old = await changed('/realm/icon');
    const [, gone = ''] = /([\w-]{24})\.png/.exec(old) ?? [];
    const folder = join(annals.dataDirectory, 'uploads');
    if (filesAreOnDisk) await copyFile(join(folder, gone), join(annals.dataDirectory, 'copy'));
    const urls = [await changed('/realm/icon'), await changed(NIGHT)];
    const before = await state();
    const { kept } = await filesOnDisk(annals.dataDirectory);
    await annals.restart(async () => {
      await annals.removeDocuments();
      // As if the process had ended before it committed the pictures.
      for (const name of kept) await rename(join(folder, name), join(folder, 'incoming', name));
      // As if the process had ended before it removed the replaced picture.
      if (filesAreOnDisk) await rename(join(annals.dataDirectory, 'copy'), join(folder, gone));
    });
    const names = Object.keys(before).filter((name) => /icon|logo/.test(name));
    const after = await state();
    expect(names.map((name) => [name, after[name]])).toEqual(names.map((name) => [name, before[name]]));
    await annals.app.get(UploadSweeper).sweep();
    for (const url of urls) expect(await statusOf(url)).toBe(200);
    expect(await statusOf(old)).toBe(404);
    await eventually(async () => expect(await filesOnDisk(annals.dataDirectory)).toEqual({ kept, incoming: [] }));
  });
});
