import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { UNUSED_FOR_MS, UnusedFileSweeper } from '../../../src/features/uploads/services/unused-file-sweeper.js';
import { FILE_STORE, type FileStore } from '../../../src/platform/file-store/file-store.js';
import { move, moved } from '../../support/events/moves.js';
import { filesWith } from '../../support/files-with.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { ask, filesAreOnDisk, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

interface Attachment {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[];
}

describe('attachments', () => {
  let annals: Annals;
  let owner: Member;
  let cordelia: Member;
  let hamlet: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
    guest = await annals.user('guest', 600);
    const subscribe = (name: string, principals: Member[], more = {}) =>
      owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: principals.map(({ id }) => id),
        ...more,
      });
    await subscribe('public', [owner, cordelia]);
    await subscribe('secret', [owner, cordelia], { invite_only: true });
    await subscribe('remembered', [owner, cordelia], { invite_only: true, history_public_to_subscribers: true });
  });
  afterAll(() => annals.stop());

  const file = (who = cordelia, content = 'content', name = 'f.txt') => uploaded(annals.url, who, content, name);
  const own = async (who = cordelia): Promise<Attachment[]> => (await who.api.get('/attachments')).body.attachments;
  const idOf = async (url: string, who = cordelia): Promise<number> => (await attachmentOf(url, who)).id;
  const attachmentOf = async (url: string, who = cordelia): Promise<Attachment> => {
    const found = (await own(who)).find(({ path_id }) => url.endsWith(path_id));
    if (!found) throw new Error('no such attachment');
    return found;
  };
  const send = async (who: Member, to: string, content: string): Promise<number> => {
    const { body } = await who.api.post('/messages', { type: 'channel', to, topic: 't', content });
    expect(body.msg).toBe('');
    return body.id;
  };
  const whisper = async (who: Member, to: Member, content: string): Promise<number> =>
    (await who.api.post('/messages', { type: 'direct', to: [to.id], content })).body.id;
  const readers = async (url: string): Promise<string[]> => {
    const names: string[] = [];
    for (const [name, who] of Object.entries({ owner, cordelia, hamlet, guest }))
      if ((await ask(annals.url, url, who)).status === 200) names.push(name);
    return names;
  };
  const link = (url: string) => `see [this](${url})`;
  const filesNaming = (text: string) => filesWith(annals.dataDirectory, [Buffer.from(text)]);

  it('are listed for their uploader, with the messages that link to them and the total size of all files', async () => {
    const before = (await hamlet.api.get('/attachments')).body;
    expect(before).toEqual({ result: 'success', msg: '', attachments: [], upload_space_used: 0 });
    const first = await file(hamlet, '12345', 'first.txt');
    const second = await file(hamlet, '1234567', 'second.txt');
    await file(cordelia, 'xyz');
    const a = await whisper(hamlet, owner, `${link(first)} and [that](${second})`);
    const b = await whisper(hamlet, owner, `<${annals.url}${first}> again, and again ${link(first)}`);

    const { attachments, upload_space_used } = (await hamlet.api.get('/attachments')).body;
    const dates = new Map<number, number>(
      (await annals.events('messages')).map(({ revision, metadata }) => [revision + 1, metadata.at]),
    );
    const messagesOf = (...ids: number[]) => ids.map((id) => ({ id, date_sent: dates.get(id) }));
    expect(attachments).toEqual([
      {
        id: expect.any(Number),
        name: 'first.txt',
        path_id: first.slice('/user_uploads/'.length),
        size: 5,
        create_time: expect.any(Number),
        messages: messagesOf(a, b),
      },
      expect.objectContaining({ name: 'second.txt', size: 7, messages: messagesOf(a) }),
    ]);
    expect(upload_space_used).toBe(15);
    expect((await owner.api.get('/attachments')).body).toMatchObject({ attachments: [], upload_space_used: 15 });
  });

  it('are attached to a message by links that are rendered as links, and by no other text', async () => {
    const url = await file();
    for (const content of [`\`${url}\``, `\`\`\`\n${link(url)}\n\`\`\``, url.replace('/user_uploads/', ''), `x${url}x`])
      await send(cordelia, 'public', content);
    for (const wrong of [url.replace('f.txt', 'g.txt'), url.replace('/1/', '/2/'), `/elsewhere${url}`])
      await send(cordelia, 'public', link(wrong));
    expect((await attachmentOf(url)).messages).toEqual([]);
    const name = 'žluť (1).txt';
    const odd = await file(cordelia, 'x', name);
    const id = await send(cordelia, 'public', link(odd));
    expect((await attachmentOf(odd)).messages).toEqual([expect.objectContaining({ id })]);
  });

  it('are served to every user who may read a message that links to them', async () => {
    const url = await file();
    expect(await readers(url)).toEqual(['cordelia']);
    await send(cordelia, 'secret', link(url));
    expect(await readers(url)).toEqual(['owner', 'cordelia']);
    await whisper(cordelia, guest, link(url));
    expect(await readers(url)).toEqual(['owner', 'cordelia', 'guest']);
    await send(cordelia, 'public', link(url));
    expect(await readers(url)).toEqual(['owner', 'cordelia', 'hamlet', 'guest']);
  });

  it('of a channel are served to subscribed guests, but not through messages that protected history hides from them', async () => {
    const shared = await file();
    await send(cordelia, 'public', link(shared));
    const early = await file();
    await send(cordelia, 'secret', link(early));
    const remembered = await file();
    await send(cordelia, 'remembered', link(remembered));
    expect(await readers(shared)).toEqual(['owner', 'cordelia', 'hamlet']);
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'public' }, { name: 'secret' }, { name: 'remembered' }],
      principals: [guest.id],
    });
    const late = await file();
    await send(cordelia, 'secret', link(late));
    expect(await readers(shared)).toEqual(['owner', 'cordelia', 'hamlet', 'guest']);
    expect(await readers(early)).toEqual(['owner', 'cordelia']);
    expect(await readers(remembered)).toEqual(['owner', 'cordelia', 'guest']);
    expect(await readers(late)).toEqual(['owner', 'cordelia', 'guest']);
    await guest.api.delete('/users/me/subscriptions', { subscriptions: ['public', 'secret', 'remembered'] });
    expect(await readers(late)).toEqual(['owner', 'cordelia']);
  });

  it('are served to the readers of the new channel after the message that links to them is moved', async () => {
    const url = await file();
    const id = await send(cordelia, 'secret', link(url));
    expect(await readers(url)).toEqual(['owner', 'cordelia']);
    const channelOf = async (name: string) => (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
    const from = { channelId: await channelOf('secret'), topic: 't' };
    const to = { channelId: await channelOf('public'), topic: 'in the open' };
    await moved(annals, owner.id, move(from, to, { anchorId: id, propagateMode: 'change_one' }));
    expect(await readers(url)).toEqual(['owner', 'cordelia', 'hamlet']);
  });

  it('are not attached by a user who may not see them, even if the user knows the link', async () => {
    const url = await file();
    const claim = await send(hamlet, 'public', link(url));
    expect(await readers(url)).toEqual(['cordelia']);
    expect((await attachmentOf(url)).messages).toEqual([]);
    await hamlet.api.patch(`/messages/${claim}`, { content: `now ${link(url)}` });
    expect(await readers(url)).toEqual(['cordelia']);

    await whisper(cordelia, hamlet, link(url));
    const passedOn = await whisper(hamlet, guest, link(url));
    expect(await readers(url)).toEqual(['cordelia', 'hamlet', 'guest']);
    expect((await attachmentOf(url)).messages.map(({ id }) => id)).toContain(passedOn);
  });

  it("are detached by an edit; the answer lists the editor's files that no message links to any more", async () => {
    const alone = await file(cordelia, 'alone', 'alone.txt');
    const kept = await file(cordelia, 'kept', 'kept.txt');
    const shared = await file(cordelia, 'shared', 'shared.txt');
    const hamlets = await file(hamlet, 'hamlets', 'hamlets.txt');
    await whisper(hamlet, cordelia, link(hamlets));
    const other = await send(cordelia, 'public', link(shared));
    const id = await send(cordelia, 'public', [alone, kept, shared, hamlets].map(link).join(' '));
    const before = await attachmentOf(alone);
    expect(before.messages.map((one) => one.id)).toEqual([id]);

    const { body } = await cordelia.api.patch(`/messages/${id}`, { content: `only ${link(kept)}` });
    expect(body).toEqual({ result: 'success', msg: '', detached_uploads: [{ ...before, messages: [] }] });
    expect((await attachmentOf(kept)).messages.map((one) => one.id)).toEqual([id]);
    expect((await attachmentOf(shared)).messages.map((one) => one.id)).toEqual([other]);
    expect(await readers(alone)).toEqual(['cordelia']);

    const again = await cordelia.api.patch(`/messages/${id}`, { content: `${link(kept)} ${link(alone)}` });
    expect(again.body.detached_uploads).toEqual([]);
    expect(
      (await cordelia.api.patch(`/messages/${id}`, { content: `${link(kept)} ${link(alone)}` })).body,
    ).toMatchObject({
      detached_uploads: [],
    });
    expect(await readers(alone)).toEqual(['owner', 'cordelia', 'hamlet']);
    const [edited] = (await annals.events(`message-${id}`)).slice(-1);
    const ids = [await idOf(alone), await idOf(kept)].sort((a, b) => a - b);
    expect(edited?.data).toMatchObject({ content: { attachmentIds: ids, previousAttachmentIds: [await idOf(kept)] } });
  });

  it('are detached when the message is deleted, and stay with their owner', async () => {
    const url = await file();
    const id = await send(cordelia, 'public', link(url));
    expect(await readers(url)).toEqual(['owner', 'cordelia', 'hamlet']);
    await owner.api.delete(`/messages/${id}`);
    expect(await readers(url)).toEqual(['cordelia']);
    expect((await attachmentOf(url)).messages).toEqual([]);
    const [deleted] = (await annals.events(`message-${id}`)).slice(-1);
    expect(deleted).toMatchObject({ type: 'MessageDeleted', data: { attachmentIds: [await idOf(url)] } });
  });

  it('send client events to their owner alone, whoever causes the change', async () => {
    const types = { event_types: ['attachment'] };
    const queue = await EventQueue.register(cordelia.api, types);
    const others = [await EventQueue.register(owner.api, types), await EventQueue.register(hamlet.api, types)];
    const told = async () =>
      (await queue.drain()).map(({ op, attachment, upload_space_used }: ClientEvent) => ({
        op,
        id: attachment.id,
        messages: attachment.messages?.map((one: { id: number }) => one.id),
        upload_space_used,
      }));
    const url = await file();
    const used = (await cordelia.api.get('/attachments')).body.upload_space_used;
    const id = await idOf(url);
    expect(await told()).toEqual([{ op: 'add', id, messages: [], upload_space_used: used }]);
    const first = await send(cordelia, 'public', link(url));
    expect(await told()).toEqual([{ op: 'update', id, messages: [first], upload_space_used: used }]);
    const second = await send(hamlet, 'public', `me too: ${link(url)}`);
    expect(await told()).toEqual([{ op: 'update', id, messages: [first, second], upload_space_used: used }]);
    await cordelia.api.patch(`/messages/${first}`, { content: 'nothing' });
    expect(await told()).toEqual([{ op: 'update', id, messages: [second], upload_space_used: used }]);
    await cordelia.api.patch(`/messages/${first}`, { content: 'nothing at all' });
    expect(await told()).toEqual([]);
    await owner.api.delete(`/messages/${second}`);
    expect(await told()).toEqual([{ op: 'update', id, messages: [], upload_space_used: used }]);
    await cordelia.api.delete(`/attachments/${id}`);
    expect(await told()).toEqual([{ op: 'remove', id, messages: undefined, upload_space_used: used - 7 }]);
    for (const other of others) expect(await other.drain()).toEqual([]);
  });

  it('send an update without messages if the message that an edit unlinked is deleted before the client asks', async () => {
    const url = await file();
    const id = await idOf(url);
    const message = await send(cordelia, 'public', link(url));
    const queue = await EventQueue.register(cordelia.api, { event_types: ['attachment'] });
    await cordelia.api.patch(`/messages/${message}`, { content: 'nothing' });
    await cordelia.api.delete(`/messages/${message}`);
    expect((await queue.drain()).at(-1)).toMatchObject({ op: 'update', attachment: { id, messages: [] } });
  });

  it('send only the removal to a client that asks after they are deleted', async () => {
    const queue = await EventQueue.register(cordelia.api, { event_types: ['attachment'] });
    const id = await idOf(await file());
    await cordelia.api.delete(`/attachments/${id}`);
    expect(await queue.drain()).toEqual([expect.objectContaining({ op: 'remove', attachment: { id } })]);
  });

  it('lose their bytes, name and key when their owner deletes them', async () => {
    const url = await file(cordelia, 'gone', 'quokka that is gone.txt');
    const { id } = await attachmentOf(url);
    const fileId = url.split('/')[4] ?? '';
    const bytes = () => annals.app.get<FileStore>(FILE_STORE).read(fileId);
    const stored = await bytes();
    expect(stored).toMatchObject({ size: 4 });
    stored?.content.destroy();
    if (filesAreOnDisk) expect(await filesNaming('quokka')).not.toEqual([]);
    const before = (await cordelia.api.get('/attachments')).body;

    expect((await cordelia.api.delete(`/attachments/${id}`)).body).toEqual({ result: 'success', msg: '' });

    expect(await bytes()).toBeNull();
    if (filesAreOnDisk) expect(await filesNaming('quokka')).toEqual([]);
    expect(await readers(url)).toEqual([]);
    const after = (await cordelia.api.get('/attachments')).body;
    expect(after).toMatchObject({ upload_space_used: before.upload_space_used - 4 });
    expect(after.attachments).toEqual(before.attachments.filter((one: Attachment) => one.id !== id));
    const [sent] = (await annals.events('uploads')).filter(({ revision }) => revision === id - 1);
    expect(sent?.data).toMatchObject({ fileId, content: null });
    expect(await annals.events(`upload-${id}`)).toEqual([
      expect.objectContaining({
        type: 'FileDeleted',
        data: { attachmentId: id, ownerId: cordelia.id, fileId, size: 4, keyId: sent?.id },
        metadata: expect.objectContaining({ actorId: cordelia.id }),
      }),
    ]);
  });

  it('leave their links in messages after they are deleted; a link to a deleted file attaches nothing', async () => {
    const url = await file();
    const message = await send(cordelia, 'public', link(url));
    await cordelia.api.delete(`/attachments/${await idOf(url)}`);
    expect((await cordelia.api.get(`/messages/${message}`)).body.message.content).toContain(url);
    const { body } = await cordelia.api.patch(`/messages/${message}`, { content: `still ${link(url)}` });
    expect(body).toMatchObject({ result: 'success', detached_uploads: [] });
    const [edited] = (await annals.events(`message-${message}`)).slice(-1);
    expect(edited).toMatchObject({ type: 'MessageEdited' });
    expect(edited?.data).not.toMatchObject({ content: { attachmentIds: expect.anything() } });
  });

  it('are deleted by their owner only, and only once', async () => {
    const id = await idOf(await file());
    const refused = { status: 400, body: { result: 'error', msg: 'Invalid attachment', code: 'BAD_REQUEST' } };
    const head = await annals.head();
    for (const who of [owner, hamlet, guest]) expect(await who.api.delete(`/attachments/${id}`)).toMatchObject(refused);
    for (const wrong of ['0', '-1', 'x', '999999', '99999999999999999999', '1.5', '%00'])
      expect((await cordelia.api.delete(`/attachments/${wrong}`)).status).toBeGreaterThanOrEqual(400);
    expect(await cordelia.api.delete('/attachments/x')).toMatchObject(refused);
    expect(await annals.head()).toBe(head);
    const twice = await Promise.all([1, 2, 3].map(() => cordelia.api.delete(`/attachments/${id}`)));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await annals.events(`upload-${id}`)).toHaveLength(1);
  });

  it('are deleted a few weeks after the upload if no message links to them, and their owners are told', async () => {
    const sweeper = annals.app.get(UnusedFileSweeper);
    const unused = await file(hamlet, 'unused');
    const used = await file(hamlet, 'used');
    await whisper(hamlet, owner, link(used));
    const id = await idOf(unused, hamlet);
    expect(await sweeper.sweep()).toEqual([]);
    // Files of the specs above may be minutes old.
    expect(await sweeper.sweep(Date.now() + UNUSED_FOR_MS - 3_600_000)).toEqual([]);
    const queue = await EventQueue.register(hamlet.api, { event_types: ['attachment'] });

    expect(await sweeper.sweep(Date.now() + UNUSED_FOR_MS + 1)).toContain(id);

    expect((await queue.drain()).at(-1)).toMatchObject({ op: 'remove', attachment: { id } });
    expect(await readers(unused)).toEqual([]);
    expect(await readers(used)).toEqual(['owner', 'hamlet']);
    for (const who of [cordelia, hamlet])
      expect((await own(who)).filter(({ messages }) => messages.length === 0)).toEqual([]);
    expect(await annals.events(`upload-${id}`)).toEqual([
      expect.objectContaining({ type: 'FileDeleted', metadata: expect.objectContaining({ actorId: null }) }),
    ]);
  });

  it('are the same after a rebuild and a restart', async () => {
    const before = await Promise.all([own(cordelia), own(hamlet)]);
    const url = await file(cordelia, 'before', 'before.txt');
    await send(cordelia, 'secret', link(url));
    const listed = await own(cordelia);
    const readSide = annals.app.get<ReadSide>(READ_SIDE);
    const feed = async () => {
      const documents = readSide.readModels.collection(
        (await import('../../../projections/client-events/client-events.projection.js')).clientEvents,
        'events',
      );
      const events = await documents.find({ _id: { $gt: 0 } }, { sort: { _id: 1 } });
      return events.filter(({ _id, ...rest }) => 'kind' in rest && String(rest.kind).startsWith('attachment'));
    };
    const live = await feed();
    expect(live.length).toBeGreaterThan(20);
    await readSide.rebuild(['attachments', 'client-events'], () => {});
    expect(await own(cordelia)).toEqual(listed);
    expect(await feed()).toEqual(live);
    await annals.restart();
    expect(await own(cordelia)).toEqual(listed);
    expect(await own(hamlet)).toEqual(before[1]);
    expect(await readers(url)).toEqual(['owner', 'cordelia']);
  });
});
