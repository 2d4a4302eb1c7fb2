import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { animatedGif, flatPng, hugePng, jpeg } from '../../support/pictures.js';
import { ask, fileOf, upload } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('an uploaded picture in a message', () => {
  let annals: Annals;
  let cordelia: Member;
  let hamlet: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
  });
  afterAll(() => annals.stop());

  const uploaded = async (content: string | Buffer, name = 'p.png'): Promise<string> =>
    (await upload(annals.url, cordelia, fileOf(content, name))).body.url;
  const send = async (content: string, who = cordelia): Promise<number> =>
    (await who.api.post('/messages', { type: 'direct', to: [cordelia.id, hamlet.id], content })).body.id;
  const read = async (id: number): Promise<string> => (await hamlet.api.get(`/messages/${id}`)).body.message.content;
  const pictureIn = (html: string): string => /<img [^>]*>/.exec(html)?.[0] ?? '';
  const picture = (url: string, attributes: string): string =>
    `<img ${attributes}src="${url.replace('user_uploads/', 'user_uploads/thumbnail/')}/840x560.webp">`;
  const about = (type: string, size: string): string =>
    `data-original-content-type="image/${type}" data-original-dimensions="${size}" `;

  it('has its size and type, and an address that is answered', async () => {
    const url = await uploaded(await flatPng(1200, 800));
    const id = await send(`see [p.png](${url})`);
    expect(await read(id)).toBe(
      `<p>see <a href="${url}">p.png</a></p>\n` +
        `<div class="message_inline_image"><a href="${url}" title="p.png">` +
        `${picture(url, about('png', '1200x800'))}</a></div>`,
    );
    const [, src = ''] = / src="([^"]*)"/.exec(await read(id)) ?? [];
    const { status, headers } = await ask(annals.url, src, hamlet);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);
    const { body } = await cordelia.api.post('/messages/render', { content: `see [p.png](${url})` });
    expect(body.rendered).toBe(await read(id));
  });

  it('has the size that it is shown with, turned as its camera was held', async () => {
    const url = await uploaded(await jpeg(60, 40, 6), 'p.jpg');
    expect(pictureIn(await read(await send(`[p](${url})`)))).toBe(picture(url, about('jpeg', '40x60')));
  });

  it('is said to move', async () => {
    const url = await uploaded(await animatedGif(30, 20, 3), 'a.gif');
    expect(pictureIn(await read(await send(`[a](${url})`)))).toBe(
      picture(url, `data-animated="true" ${about('gif', '30x20')}`),
    );
  });

  it('is a link alone if no smaller picture can be made of it', async () => {
    for (const content of ['no picture', hugePng(50_000, 50_000)]) {
      const url = await uploaded(content);
      expect(await read(await send(`[p](${url})`))).toBe(`<p><a href="${url}">p</a></p>`);
    }
  });

  it('comes and goes by edits, and is the same after a rebuild', async () => {
    const url = await uploaded(await flatPng(30, 20));
    const id = await send('nothing yet');
    await cordelia.api.patch(`/messages/${id}`, { content: `[p](${url})` });
    const before = await read(id);
    expect(pictureIn(before)).toBe(picture(url, about('png', '30x20')));
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(undefined, () => {});
    expect(await read(id)).toBe(before);
    expect(pictureIn(await read(await send(`again [p](${url})`)))).toBe(picture(url, about('png', '30x20')));
    await cordelia.api.patch(`/messages/${id}`, { content: 'no more' });
    expect(await read(id)).toBe('<p>no more</p>');
  });

  it('tells a writer who may not read it no more than a file that nobody uploaded', async () => {
    const url = await uploaded(await flatPng(30, 20));
    const nobodys = url.replace(/[\w-]{24}/, 'a'.repeat(24));
    for (const address of [url, nobodys])
      expect(pictureIn(await read(await send(`[p](${address})`, hamlet)))).toBe(picture(address, ''));
    expect((await ask(annals.url, url, hamlet)).status).toBe(404);
  });

  it('is not answered once it is deleted, and a later message does not tell its size', async () => {
    const url = await uploaded(await flatPng(30, 20));
    const id = await send(`[p](${url})`);
    const before = await read(id);
    const { attachments } = (await cordelia.api.get('/attachments')).body;
    const { id: attachmentId } = attachments.find(({ path_id }: { path_id: string }) => url.endsWith(path_id));
    await cordelia.api.delete(`/attachments/${attachmentId}`);
    expect(await read(id)).toBe(before);
    const [, src = ''] = / src="([^"]*)"/.exec(before) ?? [];
    expect((await ask(annals.url, src, hamlet)).status).toBe(404);
    expect(pictureIn(await read(await send(`again [p](${url})`)))).toBe(picture(url, ''));
  });
});
