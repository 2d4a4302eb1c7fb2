import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { accessesInLog } from '../../support/requests/recorded-accesses.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const SEALED = { sealed: true };
const SILENT = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };

describe('GET /audit/message', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let zoe: Member;
  let plans: number;
  let archive: number;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ACCESS_DAYS: '30' });
    owner = await annals.owner();
    iris = await annals.user('iris');
    zoe = await annals.user('zoe');
    const channel = async (name: string): Promise<number> =>
      (await iris.api.post('/channels/create', { name, subscribers: [owner.id, iris.id] })).body.id;
    plans = await channel('plans');
    archive = await channel('archive');
  });
  afterAll(() => annals.stop());

  const ask = async (message_id: number, as_of?: string, more: object = {}) => {
    const { status, body } = await owner.api.get('/audit/message', { message_id, ...(as_of && { as_of }), ...more });
    expect([status, body.msg]).toEqual([200, '']);
    return body;
  };
  const post = async (by: Member, to: number | readonly number[], content: string): Promise<number> => {
    const addressed = typeof to === 'number' ? { type: 'channel', to, topic: 'launch' } : { type: 'direct', to };
    return (await by.api.post('/messages', { ...addressed, content })).body.id;
  };
  const change = async (by: Member, method: 'PATCH' | 'DELETE', path: string, params: object = {}) =>
    expect((await by.api.ask(method, path, { ...params })).body).toMatchObject({ result: 'success', msg: '' });

  /** A time after everything that has happened, and before everything that follows. */
  async function moment(): Promise<string> {
    const at = Date.now();
    await eventually(() => expect(Date.now()).toBeGreaterThan(at));
    return new Date(at).toISOString();
  }
  const wordsRead = async () => (await accessesInLog(annals)).filter(({ type }) => type === 'AuditWordsRead');

  it('tells what a message was at each time: words, place, names, and what had been done to it', async () => {
    const before = await moment();
    const id = await post(iris, plans, 'Monday');
    const sent = await moment();
    await change(iris, 'PATCH', `/messages/${id}`, { content: 'Tuesday' });
    const edited = await moment();
    const email = iris.email;
    await change(iris, 'PATCH', '/settings', { full_name: 'Iris Green' });
    await change(iris, 'PATCH', `/streams/${plans}`, { new_name: 'old plans' });
    const renamed = await moment();
    const other = await post(iris, plans, 'beside it');
    await change(owner, 'PATCH', `/messages/${other}`, { topic: 'Ideas', propagate_mode: 'change_all', ...SILENT });
    const together = await moment();
    await change(owner, 'PATCH', `/messages/${id}`, { stream_id: archive, topic: 'cancelled', ...SILENT });
    const moved = await moment();
    const seen = [before, sent, edited, renamed, together, moved];
    const words = await Promise.all(seen.slice(1).map((at) => ask(id, at, { words: true })));
    expect(words.map(({ content }) => content.text)).toEqual(['Monday', ...Array(4).fill('Tuesday')]);
    await change(owner, 'DELETE', `/messages/${id}`);

    const there = { msg: 'There was no such message then', code: 'NOT_FOUND' };
    await expectRefusal(annals, () => owner.api.get('/audit/message', { message_id: id, as_of: before }), there, 404);
    const first = { user_id: iris.id, name: 'iris', email };
    const act = (by: object) => ({ time: expect.stringMatching(/Z$/), by });
    const asSent = {
      ...{ message_id: id, as_of: sent, sent: act(first), edited: null, moved: null, deleted: null, revision: 0 },
      ...{ content: SEALED, channel: { channel_id: plans, name: 'plans' }, topic: 'launch', participants: null },
    };
    expect(await ask(id, sent)).toMatchObject(asSent);
    const asEdited = { ...asSent, as_of: edited, edited: act(first), revision: 1 };
    expect(await ask(id, edited)).toMatchObject(asEdited);
    const green = { ...first, name: 'Iris Green' };
    const asRenamed = {
      ...{ ...asEdited, as_of: renamed, sent: act(green), edited: act(green) },
      channel: { channel_id: plans, name: 'old plans' },
    };
    expect(await ask(id, renamed)).toMatchObject(asRenamed);
    const mover = act({ user_id: owner.id, name: expect.any(String), email: owner.email });
    const withOthers = { ...asRenamed, as_of: together, moved: mover, topic: 'Ideas' };
    expect(await ask(id, together)).toMatchObject(withOthers);
    const archived = {
      ...{ ...withOthers, as_of: moved, topic: 'cancelled' },
      channel: { channel_id: archive, name: 'archive' },
    };
    expect(await ask(id, moved)).toMatchObject(archived);
    const now = await ask(id, undefined, { words: true });
    expect(now).toMatchObject({ ...archived, readers: [], as_of: expect.any(String), deleted: mover, content: null });
    // Its words are gone from each time before, too.
    expect((await ask(id, sent, { words: true })).content).toBeNull();
  });

  it('tells who took part in a direct message, and counts the last millisecond of the time', async () => {
    const id = await post(iris, [zoe.id], 'hush');
    const { sent } = await ask(id);
    const answer = await ask(id, sent.time.replace(/\.\d+Z$/, 'Z'));
    expect(answer).toMatchObject({ channel: null, topic: null, as_of: sent.time.replace(/\.\d+Z$/, '.999Z') });
    expect(answer.participants.map(({ user_id }: { user_id: number }) => user_id)).toEqual([iris.id, zoe.id]);
    expect((await ask(id, sent.time)).sent).toEqual(sent);
  });

  it('records whose words it shows, and each question', async () => {
    const id = await post(iris, [zoe.id], 'between us');
    const before = (await wordsRead()).length;
    await ask(id);
    expect(await wordsRead()).toHaveLength(before);
    expect((await ask(id, undefined, { words: true })).content.text).toBe('between us');
    expect((await wordsRead()).slice(before)).toMatchObject([
      { data: { messageIds: [id], conversations: [[iris.id, zoe.id]], count: 1 }, metadata: { actorId: owner.id } },
    ]);
    await eventually(async () =>
      expect(await accessesInLog(annals)).toContainEqual(
        expect.objectContaining({ type: 'AuditRead', data: expect.objectContaining({ of: 'message', messageId: id }) }),
      ),
    );
  });

  it('is for auditors, and refuses what it does not know', async () => {
    const get = (by: Member, asked: Readonly<Record<string, unknown>>) => () => by.api.get('/audit/message', asked);
    const msg = expect.any(String);
    await expectRefusal(annals, get(iris, { message_id: 1 }), { msg, code: 'UNAUTHORIZED_PRINCIPAL' });
    for (const wrong of [{ mesage_id: 1 }, { as_off: 1 }, { as_of: 'yesterday' }])
      await expectRefusal(annals, get(owner, { message_id: 1, ...wrong }), { msg, code: 'BAD_REQUEST' });
    await expectRefusal(annals, get(owner, { message_id: 99_999 }), { msg, code: 'NOT_FOUND' }, 404);
  });
});
