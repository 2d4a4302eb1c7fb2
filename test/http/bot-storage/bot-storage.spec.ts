import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { BotStorageEvent } from '../../../src/events/bot-storage/bot-storage.events.js';
import { storageWrites } from '../../../src/features/bot-storage/bot-storage.handlers.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { SharedLimits } from '../../../src/platform/http/logins/shared-limits.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { isShared } from '../../support/engines/own-engines.js';
import { filesWith } from '../../support/files-with.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };

describe('bot storage over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ANSWER_KIB: '512' });
    owner = await annals.user('maker');
  });
  afterAll(() => annals.stop());

  /** A new bot, which has stored nothing. */
  async function bot(): Promise<Pick<Member, 'id' | 'api'>> {
    const name = `keeper${++made}`;
    const { body } = await owner.api.post('/bots', { full_name: name, short_name: name });
    const { members } = (await owner.api.get('/users')).body;
    const { email } = members.find(({ user_id }: { user_id: number }) => user_id === body.user_id);
    return {
      id: body.user_id,
      get api() {
        return annals.api.as({ email, apiKey: body.api_key });
      },
    };
  }
  type Storing = Pick<Member, 'api'>;
  const store = ({ api }: Storing, storage: unknown) => api.put('/bot_storage', { storage });
  const stored = async ({ api }: Storing, keys?: readonly string[]) =>
    (await api.get('/bot_storage', { keys })).body.storage;
  const remove = ({ api }: Storing, keys?: readonly string[]) => api.delete('/bot_storage', { keys });

  it('keeps values by their keys, which later requests add to', async () => {
    const keeper = await bot();
    const head = await annals.head();
    expect((await keeper.api.get('/bot_storage')).body).toEqual({ ...DONE, storage: {} });
    expect((await store(keeper, { count: '1', 'Ä "key"': '' })).body).toEqual(DONE);
    expect((await store(keeper, { count: '2', other: '{"a":[1]}' })).body).toEqual(DONE);
    expect(await stored(keeper)).toEqual({ count: '2', other: '{"a":[1]}', 'Ä "key"': '' });
    expect(await stored(keeper, ['count', 'count', 'Ä "key"'])).toEqual({ count: '2', 'Ä "key"': '' });
    expect(await stored(keeper, [])).toEqual({});
    const events = await annals.events(`botStorage-${keeper.id}`, head);
    expect(events.map(({ type }) => type)).toEqual([
      'BotStorageEntryAdded',
      'BotStorageEntryAdded',
      'BotStorageEntryReplaced',
      'BotStorageEntryAdded',
    ]);
  });

  it('is changed by no request that stores the same', async () => {
    const keeper = await bot();
    await store(keeper, { a: '1' });
    const head = await annals.head();
    expect((await store(keeper, { a: '1' })).body).toEqual(DONE);
    expect((await store(keeper, {})).body).toEqual(DONE);
    expect(await annals.head()).toBe(head);
  });

  it('belongs to one account, and people have it too', async () => {
    const keeper = await bot();
    await store(keeper, { a: 'of the bot' });
    await store(owner, { a: 'of its owner' });
    expect([await stored(keeper), await stored(owner)]).toEqual([{ a: 'of the bot' }, { a: 'of its owner' }]);
    expect((await remove(owner)).body).toEqual(DONE);
    expect([await stored(keeper), await stored(owner)]).toEqual([{ a: 'of the bot' }, {}]);
    expect((await annals.api.get('/bot_storage')).status).toBe(401);
  });

  it('seals keys and values, and erases what is replaced or removed', async () => {
    const keeper = await bot();
    const head = await annals.head();
    const words = ['wombat-of-a-key', 'quokka-of-a-value', 'narwhal-of-a-value'] as const;
    const [key, first, second] = words;
    await store(keeper, { [key]: first });
    const log = JSON.stringify(await annals.app.get<EventStore>(EVENT_STORE).readStream(`botStorage-${keeper.id}`));
    expect(words.filter((word) => log.includes(word))).toEqual([]);
    const filesOf = (...some: readonly string[]) =>
      filesWith(
        annals.dataDirectory,
        some.map((word) => Buffer.from(word)),
      );
    if (!isShared()) expect(await filesOf(first)).not.toEqual([]);

    await store(keeper, { [key]: second });
    expect(await filesOf(first)).toEqual([]);
    expect((await remove(keeper, [key])).body).toEqual(DONE);
    expect(await filesOf(...words)).toEqual([]);
    const events = (await annals.events(`botStorage-${keeper.id}`, head)) as Recorded<BotStorageEvent>[];
    expect(events.map(({ data }) => ('entry' in data ? data.entry : 'none'))).toEqual([null, null, 'none']);
    const keyIds = events.map(({ data }) => data.keyId);
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size).toBe(0);
  });

  it('refuses what it cannot do, without a change', async () => {
    const keeper = await bot();
    await store(keeper, { a: '1' });
    const missing = 'Key does not exist.';
    await expectRefusal(annals, () => keeper.api.get('/bot_storage', { keys: ['a', 'b'] }), missing);
    await expectRefusal(annals, () => remove(keeper, ['a', 'b']), missing);
    await expectRefusal(annals, () => store(keeper, { b: 2 }), 'storage["b"] is not a string');
    await expectRefusal(annals, () => store(keeper, ['b']), 'storage is not an object');
    await expectRefusal(annals, () => remove(keeper, [2] as never), 'keys[0] is not a string');
    const long = 'Key is too long (limit: 1000 characters)';
    await expectRefusal(annals, () => store(keeper, { ['x'.repeat(1001)]: '' }), long);
    const much = 'Request stores too much at once (limit: 256 KiB)';
    await expectRefusal(annals, () => store(keeper, { b: 'x'.repeat(256 * 1024) }), much);
    expect((await keeper.api.put('/bot_storage')).body.code).toBe('REQUEST_VARIABLE_MISSING');
    expect(await stored(keeper)).toEqual({ a: '1' });
  });

  it('has room for ten million characters, of which an answer has its part', async () => {
    const keeper = await bot();
    const value = 'x'.repeat(249_998);
    for (let n = 0; n < 40; n++) await store(keeper, { [String(n).padStart(2, '0')]: value });
    const full = 'Request exceeds storage limit by 4 characters. The limit is 10000000 characters.';
    await expectRefusal(annals, () => store(keeper, { key: 'v' }), full);
    const tooLarge = 'These values are too large for one answer. Ask for fewer keys.';
    await expectRefusal(annals, () => keeper.api.get('/bot_storage'), tooLarge);
    expect(await stored(keeper, ['00', '01'])).toEqual({ '00': value, '01': value });
    await annals.restart();
    await expectRefusal(annals, () => store(keeper, { key: 'v' }), full);
    expect((await remove(keeper)).body).toEqual(DONE);
    expect(await stored(keeper)).toEqual({});
  });

  it('counts what is written in an hour, of the same key too, for each account', async () => {
    const keeper = await bot();
    const value = 'x'.repeat(5 * 1024);
    const write = (text: string) => store(keeper, { a: text });
    const writes = storageWrites(keeper.id, []);
    const limits = () => annals.app.get(SharedLimits);
    const leaveRoomFor = (kib: number) => limits().consume({ ...writes, points: writes.most - kib });
    const head = await annals.head();
    await leaveRoomFor(18);
    const answers = [];
    for (const end of ['1', '2', '3', '4']) answers.push(await write(value + end));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.at(-1)).toMatchObject({ body: { code: 'RATE_LIMIT_HIT' } });
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    expect(await annals.events(`botStorage-${keeper.id}`, head)).toHaveLength(3);
    // Requests at the same moment write no more together than there is room for, after a restart too.
    await annals.restart();
    expect((await write(`${value}4`)).status).toBe(429);
    const other = await bot();
    await limits().consume({ ...storageWrites(other.id, []), points: writes.most - 18 });
    const together = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => store(other, { [name]: value })));
    const stored = together.filter(({ status }) => status === 200);
    expect(stored.length).toBeLessThanOrEqual(3);
    expect(await annals.events(`botStorage-${other.id}`)).toHaveLength(stored.length);
    expect(together.filter(({ status }) => status === 429)).toHaveLength(6 - stored.length);
  });

  it('keeps all of what concurrent requests store', async () => {
    const keeper = await bot();
    const names = Array.from({ length: 8 }, (_, at) => `key${at}`);
    await Promise.all(names.map((name) => store(keeper, { [name]: name, shared: name })));
    const storage = await stored(keeper);
    expect(Object.keys(storage).sort()).toEqual([...names, 'shared']);
    expect(names).toContain(storage.shared);
  });

  it('is the same after a rebuild and a restart', async () => {
    const keeper = await bot();
    await store(keeper, { a: '1', b: '2', c: '3' });
    await store(keeper, { a: '4' });
    await remove(keeper, ['b']);
    const left = { a: '4', c: '3' };
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['bot-storage'], () => {});
    expect(await stored(keeper)).toEqual(left);
    await annals.restart();
    expect(await stored(keeper)).toEqual(left);
    expect((await remove(keeper)).body).toEqual(DONE);
    expect(await stored(keeper)).toEqual({});
  });
});
