import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { AddressKeySweeper } from '../../../src/platform/commands/month-key-sweeper.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore, EventStoreUnavailable } from '../../../src/platform/log/event-store.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { filesWith } from '../../support/files-with.js';
import { override } from '../../support/override.js';
import { recordedKeyUses, times } from '../../support/requests/recorded-accesses.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const HOME = '203.0.113.77';
const ELSEWHERE = '198.51.100.9';
const PASSWORD = 'correct horse battery';
const MOST_AN_HOUR = 20;
const SETTINGS = { ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30', ANNALS_ADDRESS_DAYS: '7' };

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address, 'User-Agent': 'Traveller/1.0' } });

describe('uses of API keys from new addresses', () => {
  let annals: Annals;
  let owner: Member;
  let isLogDown = false;

  const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
    annals = await Annals.on(
      await ownEngines(),
      { ...SETTINGS, ...settings },
      {
        open: async (options) => {
          const engines = await openEngines(options);
          const { eventStore } = engines;
          const readStream: typeof eventStore.readStream = async (stream, range) => {
            if (isLogDown && stream === 'accesses') throw new EventStoreUnavailable('down', 'no');
            return eventStore.readStream(stream, range);
          };
          const readAt: typeof eventStore.readAt = async (positions) => {
            if (isLogDown) throw new EventStoreUnavailable('down', 'no');
            return (await eventStore.readAt?.(positions)) ?? [];
          };
          return { ...engines, eventStore: override(eventStore, { readStream, ...(eventStore.readAt && { readAt }) }) };
        },
      },
    );
    owner = await annals.owner();
  };
  beforeEach(() => {
    isLogDown = false;
  });
  afterEach(() => annals.stop());

  const use = async (who: Member['api'], address: string): Promise<void> => {
    expect((await who.get('/users/me', {}, from(address))).status).toBe(200);
  };
  const uses = () => recordedKeyUses(annals);
  const idOfKey = async (who: Member['api'], address: string): Promise<string> => {
    const { api_keys } = (await who.get('/users/me/api_keys', {}, from(address))).body;
    return api_keys.find(({ is_current }: { is_current: boolean }) => is_current).id;
  };
  const used = (userId: number, data: object, address: string | null) => ({
    type: 'KeyUsedElsewhere',
    data: { userId, account: 'person', ...data, ...times(1) },
    metadata: { actorId: userId, client: 'Traveller', address },
  });

  it('are events: the first address as well, and each address once', async () => {
    await start();
    for (const address of [HOME, ELSEWHERE, HOME, ELSEWHERE]) await use(owner.api, address);
    const apiKeyId = await idOfKey(owner.api, HOME);
    expect(await uses()).toEqual([
      used(owner.id, { apiKeyId, isFirst: true }, HOME),
      used(owner.id, { apiKeyId, isFirst: false }, ELSEWHERE),
    ]);
  });

  it('are in the log a moment later, and the audit finds them', async () => {
    await start();
    await use(owner.api, HOME);
    const question = { kind: ['KeyUsedElsewhere'], subject_user_id: owner.id, address: HOME };
    await eventually(async () => {
      const { events } = (await owner.api.get('/audit/events', question, from(HOME))).body;
      expect(events).toMatchObject([{ actor: { user_id: owner.id }, address: HOME, data: { isFirst: true } }]);
    });
  });

  it('are told apart by key', async () => {
    await start();
    const email = 'zoe@example.com';
    await owner.api.post('/users', { email, password: PASSWORD, full_name: 'Zoë' }, from(HOME));
    const logIn = async (address: string): Promise<Member['api']> => {
      const { body } = await annals.api.post('/fetch_api_key', { username: email, password: PASSWORD }, from(address));
      return annals.api.as({ email, apiKey: body.api_key });
    };
    const [phone, desktop] = [await logIn(HOME), await logIn(HOME)];
    await use(phone, HOME);
    await use(desktop, ELSEWHERE);
    await use(phone, ELSEWHERE);
    const [one, other] = [await idOfKey(phone, HOME), await idOfKey(desktop, ELSEWHERE)];
    const userId = (await phone.get('/users/me', {}, from(HOME))).body.user_id;
    expect((await uses()).filter(({ metadata }) => metadata.actorId === userId)).toEqual([
      used(userId, { apiKeyId: one, isFirst: true }, HOME),
      used(userId, { apiKeyId: other, isFirst: true }, ELSEWHERE),
      used(userId, { apiKeyId: one, isFirst: false }, ELSEWHERE),
    ]);
  });

  it('name bots, and need a right key', async () => {
    await start();
    const asked = { full_name: 'Robot', short_name: 'robot' };
    const { body } = await owner.api.post('/bots', asked, from(HOME));
    const bots = (await owner.api.get('/bots', {}, from(HOME))).body.bots;
    const robot = annals.api.as({ email: bots[0].username, apiKey: body.api_key });
    await use(robot, ELSEWHERE);
    await annals.api.as({ email: owner.email, apiKey: 'k'.repeat(32) }).get('/users/me', {}, from(ELSEWHERE));
    expect(await uses()).toMatchObject([
      { data: { userId: owner.id, account: 'person' }, metadata: { address: HOME } },
      { data: { userId: body.user_id, account: 'bot', isFirst: true }, metadata: { address: ELSEWHERE } },
    ]);
  });

  it('from one IPv6 network are one', async () => {
    await start();
    for (const end of ['1', 'abcd', '1']) await use(owner.api, `2001:db8:1:2::${end}`);
    await use(owner.api, '2001:db8:1:3::1');
    const addresses = (await uses()).map(({ metadata }) => metadata.address);
    expect(addresses).toEqual(['2001:db8:1:2::1', '2001:db8:1:3::1']);
  });

  it('are known after a restart, and no file has the addresses', async () => {
    await start();
    await use(owner.api, HOME);
    await use(owner.api, ELSEWHERE);
    await annals.restart(async () => {
      expect(await filesWith(annals.dataDirectory, [Buffer.from(HOME), Buffer.from(ELSEWHERE)])).toEqual([]);
    });
    for (const address of [ELSEWHERE, HOME, '192.0.2.3']) await use(owner.api, address);
    const all = (await uses()).map(({ data, metadata }) => [metadata.address, Reflect.get(data, 'isFirst')]);
    expect(all).toEqual([
      [HOME, true],
      [ELSEWHERE, false],
      ['192.0.2.3', false],
    ]);
  });

  it('are new again when the key of their address is destroyed', async () => {
    await start();
    const apiKeyId = await idOfKey(owner.api, ELSEWHERE);
    const { app } = annals;
    const at = Date.now() - 70 * 86_400_000;
    const keys = app.get<ContentKeys>(CONTENT_KEYS);
    const then = new CommandRunner(app.get<EventStore>(EVENT_STORE), keys, app.get(EventCodec), { now: () => at });
    const data = { userId: owner.id, account: 'person', apiKeyId, isFirst: true, count: 1, firstAt: at, lastAt: at };
    const by = { actorId: owner.id, client: 'Traveller', correlationId: 'then', address: HOME };
    await then.report('accesses', { type: 'KeyUsedElsewhere', data }, by);
    await uses();
    await annals.restart();
    await use(owner.api, HOME);
    expect(await uses()).toHaveLength(2);

    await annals.app.get(AddressKeySweeper).sweep();
    await annals.restart();
    await use(owner.api, HOME);
    expect((await uses()).at(-1)).toEqual(used(owner.id, { apiKeyId, isFirst: false }, HOME));
    expect((await uses()).map(({ metadata }) => metadata.address).sort()).toEqual([ELSEWHERE, HOME, null]);
  });

  it('are counted only, once an hour has brought too many of an account', async () => {
    await start();
    for (let n = 1; n <= MOST_AN_HOUR; n++) await use(owner.api, `192.0.2.${n}`);
    expect(await uses()).toHaveLength(MOST_AN_HOUR);
    for (let n = 1; n <= 5; n++) await use(owner.api, `192.0.2.${MOST_AN_HOUR + n}`);
    await use(owner.api, '192.0.2.1');
    const others = (await uses()).slice(MOST_AN_HOUR);
    expect(others.every(({ type }) => type === 'MoreAccesses')).toBe(true);
    expect(others.map(({ data }) => Reflect.get(data, 'count')).reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(others[0]?.metadata).toEqual({ actorId: owner.id, client: 'Traveller', address: undefined });
  });

  it('are told when the log can be read again, and no request fails meanwhile', async () => {
    await start();
    await use(owner.api, HOME);
    expect(await uses()).toHaveLength(1);
    await annals.restart();
    isLogDown = true;
    await use(owner.api, ELSEWHERE);
    expect(await uses()).toHaveLength(1);
    isLogDown = false;
    await eventually(async () => expect(await uses()).toMatchObject([{}, { metadata: { address: ELSEWHERE } }]));
  });

  it.each(['ANNALS_ADDRESS_DAYS', 'ANNALS_ACCESS_DAYS'])('are no events if %s is 0', async (setting) => {
    await start({ [setting]: '0' });
    await use(owner.api, HOME);
    expect(await uses()).toEqual([]);
  });
});
