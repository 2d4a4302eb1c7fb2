import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { ask, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('an uploaded sound in a message', () => {
  let annals: Annals;
  let cordelia: Member;
  let hamlet: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
  });
  afterAll(() => annals.stop());

  const sound = (name = 'song.mp3'): Promise<string> => uploaded(annals.url, cordelia, 'sound', name);
  const send = async (content: string, who = cordelia): Promise<number> =>
    (await who.api.post('/messages', { type: 'direct', to: [cordelia.id, hamlet.id], content })).body.id;
  const read = async (id: number, query = '') => (await hamlet.api.get(`/messages/${id}${query}`)).body.message.content;
  const player = (url: string, title: string): string =>
    `<p><audio controls preload="metadata" src="${url}" title="${title}"></audio></p>`;

  it.each(['a.aac', 'a.flac', 'a.mp3', 'a.wav'])('is a player, of a file %s', async (name) => {
    const url = await sound(name);
    const content = `![${name}](${url})`;
    const id = await send(content);
    expect(await read(id)).toBe(player(url, name));
    expect(await read(id, '?apply_markdown=false')).toBe(content);
    const { body } = await cordelia.api.post('/messages/render', { content });
    expect(body.rendered).toBe(player(url, name));
    const { status, headers } = await ask(annals.url, url, hamlet, { headers: { Range: 'bytes=0-1' } });
    expect([status, headers.get('content-type')?.slice(0, 6), headers.get('content-disposition')?.slice(0, 6)]).toEqual(
      [206, 'audio/', 'inline'],
    );
  });

  it('is found as an attachment, and is the same after a rebuild', async () => {
    const id = await send(`![mine](${await sound()})`);
    const narrow = JSON.stringify([{ operator: 'has', operand: 'attachment' }]);
    const found = async () => {
      const { body } = await hamlet.api.get(`/messages?anchor=newest&num_before=1&num_after=0&narrow=${narrow}`);
      return body.messages.map((message: { id: number; content: string }) => [message.id, message.content]);
    };
    const before = await found();
    expect(before).toEqual([[id, expect.stringContaining('<audio controls')]]);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(undefined, () => {});
    expect(await found()).toEqual(before);
  });

  it('comes and goes by edits', async () => {
    const url = await sound();
    const id = await send('nothing yet');
    await cordelia.api.patch(`/messages/${id}`, { content: `![now](${url})` });
    expect(await read(id)).toBe(player(url, 'now'));
    expect((await ask(annals.url, url, hamlet)).status).toBe(200);
    await cordelia.api.patch(`/messages/${id}`, { content: 'no more' });
    expect(await read(id)).toBe('<p>no more</p>');
  });

  it('stays as typed if its writer may not read it, as a file that nobody uploaded', async () => {
    const url = await sound('secret.mp3');
    const content = (address: string): string => `![x](${address})`;
    expect(await read(await send(content(url), hamlet))).toBe(`<p>${content(url)}</p>`);
    const nobodys = url.replace(/[\w-]{24}/, 'a'.repeat(24));
    expect(await read(await send(content(nobodys), hamlet))).toBe(`<p>${content(nobodys)}</p>`);
    expect((await ask(annals.url, url, hamlet)).status).toBe(404);
  });

  it('cannot be played once it is deleted', async () => {
    const url = await sound();
    const id = await send(`![gone](${url})`);
    const { attachments } = (await cordelia.api.get('/attachments')).body;
    const { id: attachmentId } = attachments.find(({ path_id }: { path_id: string }) => url.endsWith(path_id));
    await cordelia.api.delete(`/attachments/${attachmentId}`);
    expect((await ask(annals.url, url, hamlet)).status).toBe(404);
    expect(await read(id)).toBe(player(url, 'gone'));
    await cordelia.api.patch(`/messages/${id}`, { content: `![gone](${url}) again` });
    expect(await read(id)).toBe(`<p>![gone](${url}) again</p>`);
  });
});
