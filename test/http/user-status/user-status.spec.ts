import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { isShared } from '../../support/engines/own-engines.js';
import { filesWith } from '../../support/files-with.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };
const CAR = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' };
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
const AT_LUNCH = { status_text: 'At lunch' };

describe('statuses over HTTP', () => {
  let annals: Annals;
  let noor: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    noor = await annals.user('noor');
  });
  afterAll(() => annals.stop());

  /** A new user, who has no status. */
  const person = () => annals.user(`person${++made}`);
  const change = (member: Member, status: object) => member.api.post('/users/me/status', { ...status });
  const statusOf = async ({ id }: Member) => (await noor.api.get(`/users/${id}/status`)).body.status;
  const registered = async (member = noor) =>
    (await member.api.post('/register', { fetch_event_types: ['user_status'] })).body.user_status;
  const queueOf = (member: Member) =>
    EventQueue.register(member.api, { event_types: ['user_status', 'user_settings'] });

  it('are set, seen by everybody, and told with the passed fields only', async () => {
    const mila = await person();
    const guest = await annals.user('guest', 600);
    const queue = await queueOf(guest);
    expect(await statusOf(mila)).toEqual({});
    expect((await change(mila, { status_text: ' At lunch ', emoji_name: 'car' })).body).toEqual(DONE);
    expect(await statusOf(mila)).toEqual({ ...AT_LUNCH, ...CAR });
    expect((await change(mila, { status_text: 'Back' })).body).toEqual(DONE);
    expect((await registered(guest))[mila.id]).toEqual({ status_text: 'Back', ...CAR });
    expect((await change(mila, { emoji_name: '' })).body).toEqual(DONE);
    expect((await registered(guest))[mila.id]).toEqual({ status_text: 'Back' });
    expect((await change(mila, { status_text: '' })).body).toEqual(DONE);
    expect(await statusOf(mila)).toEqual({});
    expect(await registered(guest)).not.toHaveProperty(String(mila.id));
    // Told as the status is when it is told: by now there is none.
    const head = { type: 'user_status', user_id: mila.id };
    expect(await told(queue)).toEqual([
      { ...head, status_text: '', ...NO_EMOJI },
      { ...head, status_text: '' },
      { ...head, ...NO_EMOJI },
      { ...head, status_text: '' },
    ]);
    await change(mila, { ...AT_LUNCH, ...CAR });
    expect(await told(queue)).toEqual([{ ...head, ...AT_LUNCH, ...CAR }]);
    await change(mila, { status_text: 'Back' });
    expect(await told(queue)).toEqual([{ ...head, status_text: 'Back' }]);
  });

  it('say away if the user is not to be seen as present, which is a setting', async () => {
    const mila = await person();
    const queue = await queueOf(mila);
    const others = await queueOf(noor);
    const head = { type: 'user_status', user_id: mila.id };
    expect((await change(mila, { away: true, ...AT_LUNCH })).body).toEqual(DONE);
    expect(await statusOf(mila)).toEqual({ away: true, ...AT_LUNCH });
    expect((await registered())[mila.id]).toEqual({ away: true, ...AT_LUNCH });
    expect((await told(queue)).map(({ type, property, away }) => [type, property ?? away])).toEqual([
      ['user_status', undefined],
      ['user_settings', 'presence_enabled'],
      ['user_status', true],
    ]);
    expect(await told(others)).toEqual([
      { ...head, ...AT_LUNCH },
      { ...head, away: true },
    ]);
    const { user_settings } = (await mila.api.post('/register', { fetch_event_types: ['user_settings'] })).body;
    expect(user_settings.presence_enabled).toBe(false);
    await mila.api.patch('/settings', { presence_enabled: true });
    expect(await told(others)).toEqual([{ ...head, away: false }]);
    expect(await statusOf(mila)).toEqual(AT_LUNCH);
    const before = await annals.head();
    expect((await change(mila, { away: false, ...AT_LUNCH })).body).toEqual(DONE);
    expect(await annals.head()).toBe(before);
  });

  it('are changed by administrators for others', async () => {
    const mila = await person();
    const owner = await annals.owner();
    const path = `/users/${mila.id}/status`;
    expect((await owner.api.post(path, { ...AT_LUNCH, emoji_name: 'car' })).body).toEqual(DONE);
    expect(await statusOf(mila)).toEqual({ ...AT_LUNCH, ...CAR });
    await expectRefusal(annals, () => noor.api.post(path, AT_LUNCH), 'Insufficient permission');
    await expectRefusal(annals, () => noor.api.post('/users/99999/status', AT_LUNCH), 'Insufficient permission');
    await expectRefusal(annals, () => owner.api.post('/users/99999/status', AT_LUNCH), 'No such user');
    await expectRefusal(annals, () => owner.api.post(path), 'Client did not pass any new values.');
  });

  it('are refused with the published errors, without a change', async () => {
    const mila = await person();
    await change(mila, AT_LUNCH);
    const refused = (status: object, msg: string) => expectRefusal(annals, () => change(mila, status), msg);
    await refused({}, 'Client did not pass any new values.');
    await refused({ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)');
    await refused({ status_text: 'a\0' }, 'status_text must not contain null bytes');
    const nameless = 'Client must pass emoji_name if they pass either emoji_code or reaction_type.';
    await refused({ emoji_code: '1f697' }, nameless);
    await refused({ status_text: 'x', reaction_type: 'unicode_emoji' }, nameless);
    await refused({ status_text: 'x', emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist");
    await refused({ emoji_name: 'car', emoji_code: 'beef' }, 'Invalid emoji code');
    await refused({ emoji_name: 'tada', emoji_code: '1f697' }, 'Invalid emoji name');
    expect((await change(mila, { reaction_type: 'odd', emoji_name: 'car' })).body.code).toBe('BAD_REQUEST');
    await expectRefusal(annals, () => noor.api.get('/users/99999/status'), 'No such user');
    const { body: bot } = await noor.api.post('/bots', { full_name: 'Robot', short_name: 'robot' });
    await expectRefusal(annals, () => noor.api.get(`/users/${bot.user_id}/status`), 'No such user');
    const { members } = (await noor.api.get('/users')).body;
    const { email } = members.find(({ user_id }: { user_id: number }) => user_id === bot.user_id);
    const robot = annals.api.as({ email, apiKey: bot.api_key });
    await expectRefusal(
      annals,
      () => robot.post('/users/me/status', AT_LUNCH),
      'This endpoint does not accept bot requests.',
    );
    expect(await statusOf(mila)).toEqual(AT_LUNCH);
  });

  it('leave no words behind when they are replaced or cleared', async () => {
    const mila = await person();
    const [first, second] = ['quokka-of-a-status', 'narwhal-of-a-status'] as const;
    const filesOf = (word: string) => filesWith(annals.dataDirectory, [Buffer.from(word)]);
    const stream = `user-${mila.id}`;
    const queue = await queueOf(noor);
    await change(mila, { status_text: first });
    expect(await told(queue)).toMatchObject([{ status_text: first }]);
    const log = JSON.stringify(await annals.app.get<EventStore>(EVENT_STORE).readStream(stream));
    expect(log).not.toContain(first);
    if (!isShared()) expect(await filesOf(first)).not.toEqual([]);
    await change(mila, { status_text: second });
    expect(await filesOf(first)).toEqual([]);
    await change(mila, { status_text: '' });
    expect(await filesOf(second)).toEqual([]);
    const events = await annals.events(stream);
    expect(events.map(({ type, data }) => [type, Reflect.get(data, 'words')])).toEqual([
      ['UserStatusTextSet', null],
      ['UserStatusTextReplaced', null],
      ['UserStatusTextCleared', undefined],
    ]);
    const keyIds = events.map(({ data }) => String(Reflect.get(data, 'keyId')));
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size).toBe(0);
  });

  it('keep both of two parts that are changed at once', async () => {
    const mila = await person();
    await Promise.all([change(mila, AT_LUNCH), change(mila, CAR)]);
    expect(await statusOf(mila)).toEqual({ ...AT_LUNCH, ...CAR });
  });

  it('are the same after a rebuild and a restart, and a client continues', async () => {
    const [mila, iris] = [await person(), await person()];
    const queue = await queueOf(noor);
    await change(mila, { ...AT_LUNCH, emoji_name: 'car' });
    await change(mila, { status_text: 'Back' });
    await change(iris, AT_LUNCH);
    await change(iris, { status_text: '' });
    const before = await registered();
    expect(before[mila.id]).toEqual({ status_text: 'Back', ...CAR });
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['user-statuses', 'client-events'], () => {});
    expect(await registered()).toEqual(before);
    await annals.restart();
    queue.api = noor.api;
    expect(await registered()).toEqual(before);
    expect((await told(queue)).filter(({ user_id }) => user_id === mila.id)).toEqual([
      { type: 'user_status', user_id: mila.id, status_text: 'Back', ...CAR },
      { type: 'user_status', user_id: mila.id, status_text: 'Back' },
    ]);
  });
});
