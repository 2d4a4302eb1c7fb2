import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { UploadSweeper } from '../../../src/features/uploads/log/upload-sweeper.js';
import { eventually } from '../../support/eventually.js';
import { animatedGif, flatPng, hugePng } from '../../support/pictures.js';
import { addEmoji } from '../../support/requests/custom-emoji.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { ask, filesOnDisk } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const MIB = 1024 * 1024;

describe('custom emoji over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let cordelia: Member;
  let hamlet: Member;
  let guest: Member;
  let dot: Buffer;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [cordelia, hamlet] = [await annals.user('cordelia'), await annals.user('hamlet')];
    guest = await annals.user('guest', 600);
    dot = await flatPng(30, 10);
  });
  afterAll(() => annals.stop());

  const add = (who: Member, name: string, ...pictures: Buffer[]) => addEmoji(annals.url, who, name, ...pictures);
  const remove = (who: Member, name: string) => who.api.delete(`/realm/emoji/${name}`);
  const list = async (who = hamlet) => (await who.api.get('/realm/emoji')).body.emoji;
  const registered = async (who = hamlet) =>
    (await who.api.post('/register', { fetch_event_types: ['realm_emoji'] })).body.realm_emoji;
  const queueOf = (who: Member) => EventQueue.register(who.api, { event_types: ['realm_emoji'] });
  const named = async (name: string) =>
    Object.values<{ id: string; name: string; source_url: string; still_url: string | null }>(await list()).findLast(
      (emoji) => emoji.name === name,
    );
  const pictureAt = async (path: string | null | undefined) => {
    const { status, headers, bytes } = await ask(annals.url, path ?? '/none', null);
    const { format, width, pageHeight, height, pages = 1 } = await sharp(bytes).metadata();
    return { status, type: headers.get('content-type'), format, width, height: pageHeight ?? height, pages };
  };
  const shown = { status: 200, type: 'image/webp', format: 'webp', width: 64, height: 64 };
  const shownPng = { ...shown, type: 'image/png', format: 'png' };

  it('are added, listed, told to everybody with the whole list, and shown without a login', async () => {
    expect(await list()).toEqual({});
    const queue = await queueOf(guest);
    const head = await annals.head();
    expect(await add(cordelia, 'green tick', dot)).toMatchObject({ status: 200, body: { result: 'success' } });
    const tick = {
      id: '1',
      name: 'green_tick',
      source_url: '/user_avatars/1/emoji/images/1.png',
      still_url: null,
      deactivated: false,
      author_id: cordelia.id,
    };
    expect(await list()).toEqual({ 1: tick });
    expect(await registered()).toEqual({ 1: tick });
    expect(await told(queue)).toEqual([{ type: 'realm_emoji', op: 'update', realm_emoji: { 1: tick } }]);
    expect(await annals.events('customEmoji', head)).toMatchObject([
      { type: 'CustomEmojiAdded', data: { emojiId: 1, name: 'green_tick', authorId: cordelia.id, stillFileId: null } },
    ]);
    expect(await pictureAt(tick.source_url)).toEqual({ ...shownPng, pages: 1 });
    expect((await ask(annals.url, tick.source_url, null, { method: 'HEAD' })).status).toBe(200);
    for (const path of ['2.webp', '1.webp', 'still/1.webp', 'still/1.png', 'x'])
      expect((await ask(annals.url, `/user_avatars/1/emoji/images/${path}`, null)).status).toBe(404);
  });

  it('that are animated have a still picture too', async () => {
    expect((await add(cordelia, 'dance', await animatedGif(200, 100, 4))).status).toBe(200);
    const dance = await named('dance');
    expect(dance?.still_url).toBe(dance?.source_url.replace('images/', 'images/still/'));
    expect(await pictureAt(dance?.source_url)).toEqual({ ...shown, pages: 4 });
    expect(await pictureAt(dance?.still_url)).toEqual({ ...shown, pages: 1 });
  });

  it('that are deactivated stay in the list and are shown, and their names are free', async () => {
    await add(cordelia, 'old', dot);
    const old = await named('old');
    expect((await add(hamlet, 'old', dot)).body.msg).toBe('A custom emoji with this name already exists.');
    expect(await remove(hamlet, 'old')).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Must be an organization administrator or emoji author' },
    });
    const queue = await queueOf(hamlet);
    expect((await remove(cordelia, 'old')).status).toBe(200);
    const [event] = await queue.poll();
    expect(event?.realm_emoji).toMatchObject({ [String(old?.id)]: { name: 'old', deactivated: true } });
    expect(await pictureAt(old?.source_url)).toMatchObject(shownPng);
    expect(await remove(cordelia, 'old')).toMatchObject({
      status: 404,
      body: { code: 'BAD_REQUEST', msg: "Emoji 'old' does not exist" },
    });
    expect((await add(hamlet, 'old', dot)).status).toBe(200);
    expect((await remove(owner, 'old')).status).toBe(200);
  });

  it('are reactions, statuses and parts of messages, and stay there when they are deactivated', async () => {
    await add(cordelia, 'party_hat', dot);
    const hat = await named('party_hat');
    const own = { emoji_name: 'party_hat', emoji_code: hat?.id, reaction_type: 'realm_emoji' };
    const content = ':party_hat: :no_hat:';
    const { body: sent } = await cordelia.api.post('/messages', { type: 'direct', to: [hamlet.id], content });
    const react = (who: Member, emoji: object) => who.api.post(`/messages/${sent.id}/reactions`, { ...emoji });
    const message = async () => (await hamlet.api.get(`/messages/${sent.id}`)).body.message;
    expect((await message()).content).toBe(
      `<p><img alt=":party_hat:" class="emoji" src="${hat?.source_url}" title="party hat"> :no_hat:</p>`,
    );
    expect((await react(cordelia, { emoji_name: 'party_hat' })).status).toBe(200);
    expect((await hamlet.api.post('/users/me/status', { emoji_name: 'party_hat' })).status).toBe(200);
    expect((await remove(cordelia, 'party_hat')).status).toBe(200);

    expect((await react(hamlet, { emoji_name: 'party_hat' })).body.msg).toBe("Emoji 'party_hat' does not exist");
    expect((await hamlet.api.post('/users/me/status', own)).body.msg).toBe('This custom emoji has been deactivated.');
    expect((await react(hamlet, own)).status).toBe(200);
    expect((await message()).reactions).toMatchObject([
      { ...own, user_id: cordelia.id },
      { ...own, user_id: hamlet.id },
    ]);
    expect((await hamlet.api.get(`/users/${hamlet.id}/status`)).body.status).toMatchObject(own);
    expect((await message()).content).toContain(hat?.source_url);
    expect((await hamlet.api.delete(`/messages/${sent.id}/reactions`, { emoji_name: 'party_hat' })).status).toBe(200);
    expect((await message()).reactions).toHaveLength(1);
  });

  it('are told once to a client that has missed several changes', async () => {
    const queue = await queueOf(hamlet);
    await add(cordelia, 'first', dot);
    await add(cordelia, 'second', dot);
    const events = await queue.poll();
    expect(events).toHaveLength(1);
    expect(events[0]?.realm_emoji).toEqual(await list());
    await add(cordelia, 'third', dot);
    expect((await queue.poll())[0]?.realm_emoji).toEqual(await list());
  });

  it('are added by the people whom the setting allows, and override others by administrators only', async () => {
    const setTo = (group: keyof typeof SYSTEM_GROUP_IDS) =>
      owner.api.patch('/realm', { can_add_custom_emoji_group: { new: SYSTEM_GROUP_IDS[group] } });
    const { body } = await cordelia.api.post('/bots', { full_name: 'Emoji', short_name: 'emoji', bot_type: 1 });
    const { email } = (await cordelia.api.get(`/users/${body.user_id}`)).body.user;
    const bot = { ...cordelia, email, apiKey: body.api_key };
    const before = await list();
    expect((await add(guest, 'x', dot)).body).toMatchObject({ msg: 'Not allowed for guest users' });
    expect((await add(bot, 'x', dot)).body.msg).toBe('This endpoint does not accept bot requests.');
    expect((await add(hamlet, 'tada', dot)).body.msg).toBe('Only administrators can override default emoji.');
    expect((await setTo('role:administrators')).status).toBe(200);
    expect((await add(hamlet, 'x', dot)).body.msg).toBe('Insufficient permission');
    expect(await list()).toEqual(before);
    expect((await add(owner, 'tada', dot)).status).toBe(200);
    expect((await setTo('role:nobody')).status).toBe(400);
    expect((await setTo('role:members')).status).toBe(200);
  });

  it('need one picture of a size that can be shown, and nothing else is stored', async () => {
    const [before, files] = [await list(), await filesOnDisk(annals.dataDirectory)];
    const refused = async (name: string, ...pictures: Buffer[]) => {
      const { status, body } = await add(cordelia, name, ...pictures);
      return [status, body.msg];
    };
    expect((await refused('none'))[0]).toBe(400);
    expect((await refused('two', dot, dot))[0]).toBe(400);
    expect(await refused('text', Buffer.from('no picture'))).toEqual([400, 'Invalid image format']);
    expect(await refused('huge', hugePng(50_000, 50_000))).toEqual([400, 'Image size exceeds limit.']);
    const large = Buffer.concat([dot, Buffer.alloc(5 * MIB)]);
    expect(await refused('large', large)).toEqual([400, 'The file is larger than the limit of 5 MiB']);
    expect((await refused('Bad', dot))[0]).toBe(400);
    expect(await list()).toEqual(before);
    expect(await filesOnDisk(annals.dataDirectory)).toEqual(files);
  });

  it('survive a restart, a rebuild and the sweeper, as their pictures do', async () => {
    const [before, { kept }] = [await list(), await filesOnDisk(annals.dataDirectory)];
    const dance = await named('dance');
    await annals.restart(async () => {
      await annals.removeDocuments();
      // As if the process had ended before it committed the pictures.
      const folder = join(annals.dataDirectory, 'uploads');
      for (const name of kept) await rename(join(folder, name), join(folder, 'incoming', name));
    });
    expect(await list()).toEqual(before);
    await annals.app.get(UploadSweeper).sweep();
    for (const url of [dance?.source_url, dance?.still_url]) expect(await pictureAt(url)).toMatchObject(shown);
    await eventually(async () => expect(await filesOnDisk(annals.dataDirectory)).toEqual({ kept, incoming: [] }));
  });
});
