import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { appendsNothing, expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const SECONDS = expect.any(Number);
const SIMPLE = { event_types: ['presence'], client_capabilities: { simplified_presence_events: true } };

describe('presence over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let noor: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    noor = await annals.user('noor');
  });
  afterAll(() => annals.stop());

  const ping = (member: Member, params: Params = {}) =>
    member.api.post('/users/me/presence', { status: 'active', ...params });
  const presenceOf = async (name: string | number) =>
    (await owner.api.get(`/users/${encodeURIComponent(name)}/presence`)).body;
  const legacy = (status: string) => {
    const aggregated = { client: 'website', status, timestamp: SECONDS };
    return { aggregated, website: { ...aggregated, pushable: false } };
  };

  it('starts with nobody', async () => {
    const { body } = await ping(iris, { status: 'idle', last_update_id: -1, history_limit_days: 0 });
    expect(body).toMatchObject({ presences: {}, server_timestamp: SECONDS });
    const { state } = await EventQueue.register(noor.api, { fetch_event_types: ['presence', 'realm'] });
    expect(state).toMatchObject({
      presences: { [iris.email]: legacy('idle') },
      server_presence_ping_interval_seconds: 60,
      server_presence_offline_threshold_seconds: 200,
      realm_presence_disabled: false,
    });
  });

  it('tells everybody who comes online, once, in the form of each client, and appends nothing', async () => {
    const simple = await EventQueue.register(owner.api, SIMPLE);
    const older = await EventQueue.register(iris.api, { event_types: ['presence'] });
    const deaf = await EventQueue.register(iris.api, { event_types: ['message'] });
    for (const _ of [1, 2])
      expect((await appendsNothing(annals, () => ping(noor, { ping_only: true }))).status).toBe(200);
    const stamps = { active_timestamp: SECONDS, idle_timestamp: SECONDS };
    expect(await told(simple)).toEqual([{ type: 'presence', presences: { [noor.id]: stamps } }]);
    expect(await told(older)).toEqual([
      {
        type: 'presence',
        user_id: noor.id,
        email: noor.email,
        server_timestamp: SECONDS,
        presence: { website: legacy('active').website },
      },
    ]);
    expect(await told(deaf)).toEqual([]);
  });

  it('answers only what a client does not know yet', async () => {
    const { body: first } = await ping(noor, { last_update_id: -1 });
    expect(Object.keys(first.presences).sort()).toEqual([String(iris.id), String(noor.id)].sort());
    const { body: same } = await ping(noor, { last_update_id: first.presence_last_update_id });
    expect(same).toMatchObject({ presences: {}, presence_last_update_id: first.presence_last_update_id });
    await ping(owner, { ping_only: true });
    const { body: next } = await ping(noor, { last_update_id: first.presence_last_update_id });
    expect(Object.keys(next.presences)).toEqual([String(owner.id)]);
    expect(next.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
  });

  it('answers a ping alone with nothing else', async () => {
    expect((await ping(noor, { ping_only: true })).body).toEqual({ result: 'success', msg: '' });
  });

  it('answers older clients by address', async () => {
    const { body } = await ping(noor);
    expect(body.presences).toEqual({
      [iris.email]: legacy('idle'),
      [noor.email]: legacy('active'),
      [owner.email]: legacy('active'),
    });
    expect((await noor.api.get('/realm/presence')).body.presences).toEqual(body.presences);
    const { body: slim } = await ping(noor, { slim_presence: true });
    expect(slim.presences[iris.id]).toEqual({ idle_timestamp: SECONDS });
  });

  it('answers one user by id or address', async () => {
    const one = { status: 'active', timestamp: SECONDS };
    for (const name of [noor.id, noor.email])
      expect(await presenceOf(name)).toMatchObject({ presence: { aggregated: one, website: one } });
  });

  it('refuses what it cannot answer', async () => {
    const bot = (await owner.api.post('/bots', { full_name: 'Robo', short_name: 'robo' })).body;
    const silent = await annals.user('silent');
    const ask = (name: string | number) => () => owner.api.get(`/users/${name}/presence`);
    await expectRefusal(annals, ask(bot.user_id), 'Presence is not supported for bot users.');
    await expectRefusal(annals, ask(silent.id), `No presence data for ${silent.id}`);
    await expectRefusal(annals, ask('nobody@example.com'), 'No such user');
    await expectRefusal(annals, () => ping(noor, { status: 'asleep' }), 'Invalid status: asleep');
    await expectRefusal(annals, () => noor.api.post('/users/me/presence', {}), {
      code: 'REQUEST_VARIABLE_MISSING',
      msg: "Missing 'status' argument",
      var_name: 'status',
    });
  });

  it('is not kept of who does not share it, which everybody sees at once', async () => {
    const queue = await EventQueue.register(owner.api, SIMPLE);
    await noor.api.patch('/settings', { presence_enabled: false });
    const [event] = await told(queue);
    expect(event).toEqual({ type: 'presence', presences: { [noor.id]: { idle_timestamp: SECONDS } } });
    expect((await presenceOf(noor.id)).presence.aggregated.status).toBe('offline');
    expect((await ping(noor, { ping_only: true })).status).toBe(200);
    expect((await presenceOf(noor.id)).presence.aggregated.status).toBe('offline');
    expect(await told(queue)).toEqual([]);
    await noor.api.patch('/settings', { presence_enabled: true });
    expect((await presenceOf(noor.id)).presence.aggregated.status).toBe('active');
    expect(await told(queue)).toHaveLength(1);
  });

  it('is told after a restart as it was before', async () => {
    const { body: before } = await owner.api.get('/realm/presence');
    await annals.restart();
    expect((await owner.api.get('/realm/presence')).body.presences).toEqual(before.presences);
  });

  it('is nobody’s in an organization that turns it off', async () => {
    const queue = await EventQueue.register(iris.api, SIMPLE);
    await owner.api.patch('/realm', { presence_disabled: true });
    expect((await ping(iris, { last_update_id: -1 })).body).toMatchObject({
      presences: {},
      presence_last_update_id: -1,
    });
    expect((await owner.api.get('/realm/presence')).body.presences).toEqual({});
    expect(await presenceOf(noor.id)).toMatchObject({ msg: `No presence data for ${noor.id}` });
    expect(await told(queue)).toEqual([]);
    await owner.api.patch('/realm', { presence_disabled: false });
    expect((await owner.api.get('/realm/presence')).body.presences).toHaveProperty([noor.email]);
  });
});
