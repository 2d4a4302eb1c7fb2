import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { type FileUploaded, UPLOADS_STREAM } from '../../../src/events/uploads/uploads.events.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { FILE_STORE, type FileStore, newFileName } from '../../../src/platform/file-store/file-store.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { eventually } from '../../support/eventually.js';
import { flatPng } from '../../support/pictures.js';
import { ask } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a file that an earlier version received', () => {
  let annals: Annals;
  let cordelia: Member;
  let hamlet: Member;
  let picture: Buffer;
  let path: string;

  beforeAll(async () => {
    annals = await Annals.start();
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
    picture = await flatPng(1200, 800);
    path = await olderUpload();
  });
  afterAll(() => annals.stop());

  /** Its event has neither a folder nor a size in pixels. */
  async function olderUpload(): Promise<string> {
    const files = annals.app.get<FileStore>(FILE_STORE);
    const runner = annals.app.get(CommandRunner);
    const fileId = newFileName();
    await files.receive(fileId, Readable.from([picture]));
    const sha256 = hash('sha256', picture);
    const content = { name: 'p.png', pathName: 'p.png', contentType: 'image/png', sha256 };
    const data = { ownerId: cordelia.id, fileId, size: picture.length, content };
    const event: FileUploaded = { type: 'FileUploaded', data };
    const id = newEventId();
    const by = { actorId: cordelia.id, client: 'test', correlationId: 'c' };
    const sealing = await runner.sealingKey(id);
    await runner.report(UPLOADS_STREAM, event, by, { id, sealing, undo: async () => {} });
    await files.commit(fileId);
    await eventually(async () => expect((await cordelia.api.get('/attachments')).body.attachments).toHaveLength(1));
    return `1/${fileId}/p.png`;
  }

  const get = (url: string) => ask(annals.url, url, hamlet);

  it('keeps its address, and is shown without a size', async () => {
    const content = `[p](/user_uploads/${path})`;
    const { body } = await cordelia.api.post('/messages', { type: 'direct', to: [hamlet.id], content });
    const html = async () => (await hamlet.api.get(`/messages/${body.id}`)).body.message.content;
    const before = await html();
    expect(before).toContain(`<img src="/user_uploads/thumbnail/${path}/840x560.webp">`);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(undefined, () => {});
    expect(await html()).toBe(before);
    const { attachments } = (await cordelia.api.get('/attachments')).body;
    expect(attachments).toEqual([expect.objectContaining({ path_id: path, messages: [expect.anything()] })]);
  });

  it('is answered at each of its addresses', async () => {
    const encoded = `/user_uploads/${path.replace('/p.png', '%2Fp.png')}`;
    for (const url of [`/user_uploads/${path}`, `/user_uploads/download/${path}`, encoded])
      expect((await get(url)).bytes.equals(picture)).toBe(true);
    for (const url of [
      `/user_uploads/thumbnail/${path}/840x560.webp`,
      `/thumbnail?url=user_uploads%2F${encodeURIComponent(path)}&size=thumbnail`,
      `/api/v1/user_uploads/${path}`,
    ])
      expect((await get(url)).status).toBe(200);
    expect((await get(`/user_uploads/${path.replace('1/', '1/4e/')}`)).status).toBe(404);
  });
});
