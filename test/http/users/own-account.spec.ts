import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Client, Params } from '../../support/requests/http.js';
import { inOneMinute } from '../../support/requests/in-one-minute.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('PATCH /settings of the account itself', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  const email = 'iris@work.example';
  let apiKey: string;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    await owner.api.patch('/realm', { require_unique_names: true });
    const account = { email, password: 'first secret', full_name: 'Iris' };
    const { body: made } = await owner.api.post('/users', account);
    const { body } = await annals.api.post('/fetch_api_key', { username: email, password: account.password });
    apiKey = body.api_key;
    iris = { ...owner, id: made.user_id, email, api: annals.api.as({ email, apiKey }) };
  });
  afterAll(() => annals.stop());

  const update = (params: Params, who = iris) => who.api.patch('/settings', params);
  const appendedBy = async (ask: () => Promise<unknown>) => {
    const head = await annals.head();
    await ask();
    return (await annals.events(undefined, head)).map(({ stream, type, data }) => ({ stream, type, data }));
  };
  const logsIn = async (password: string): Promise<boolean> =>
    (await annals.api.post('/fetch_api_key', { username: email, password })).status === 200;

  it('changes the name together with settings, and tells everybody', async () => {
    const queue = await EventQueue.register(owner.api, { event_types: ['realm_user'] });
    const events = await appendedBy(async () => {
      expect((await update({ full_name: 'Iris B.', enter_sends: true })).body).toEqual({ result: 'success', msg: '' });
    });
    expect(events).toEqual([
      { stream: 'users', type: 'UserRenamed', data: { userId: iris.id, from: 'Iris', to: 'Iris B.' } },
      expect.objectContaining({ stream: `user-${iris.id}`, type: 'UserSettingChanged' }),
    ]);
    const person = { user_id: iris.id, full_name: 'Iris B.' };
    expect((await queue.drain()).map((event) => event.person)).toEqual([person]);
  });

  it('ignores a new name if the organization disables name changes, except for administrators', async () => {
    await owner.api.patch('/realm', { name_changes_disabled: true });
    expect(await appendedBy(() => update({ full_name: 'Iris C.' }))).toEqual([]);
    expect(await appendedBy(() => update({ full_name: 'The Owner' }, owner))).toHaveLength(1);
    await owner.api.patch('/realm', { name_changes_disabled: false });
  });

  it.each<[Params, string]>([
    [{ full_name: ' ' }, 'full_name cannot be blank'],
    [{ full_name: 'the owner' }, 'Unique names required in this organization.'],
    [{ new_password: 'second secret', old_password: 'a guess' }, 'Wrong password!'],
    [{ new_password: 'second secret' }, 'Wrong password!'],
    [{ new_password: 'short', old_password: 'first secret' }, 'New password is too weak!'],
  ])('refuses %j, and changes nothing else', async (params, msg) => {
    const events = await appendedBy(async () => {
      const { status, body } = await update({ enter_sends: false, full_name: 'Other', ...params });
      expect([status, body]).toEqual([400, { result: 'error', code: 'BAD_REQUEST', msg }]);
    });
    expect(events).toEqual([]);
  });

  it('changes the password if the old one is given, ends the keys of other logins, and sends no client event', async () => {
    const others = await Promise.all(
      [1, 2].map(async () => {
        const { body } = await annals.api.post('/fetch_api_key', { username: email, password: 'first secret' });
        return annals.api.as({ email, apiKey: body.api_key });
      }),
    );
    for (const other of others) expect((await other.get('/users/me')).status).toBe(200);
    const waiting = await EventQueue.register(others[0] as Client, { event_types: ['message'] });
    const poll = others[0]?.get('/events', { queue_id: waiting.id, last_event_id: waiting.lastEventId });
    await eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(1));
    const queue = await EventQueue.register(iris.api);
    const params = { old_password: 'first secret', new_password: 'second secret' };
    const events = await appendedBy(async () => {
      expect((await update(params)).body).toEqual({ result: 'success', msg: '' });
    });
    expect(events).toEqual([
      {
        stream: 'users',
        type: 'PasswordChanged',
        data: { userId: iris.id, passwordHash: expect.stringMatching(/^\$argon2id\$/) },
      },
      { stream: 'users', type: 'ApiKeysEnded', data: { userId: iris.id, keyHashes: expect.any(Array) } },
    ]);
    for (const other of others) expect((await other.get('/users/me')).body.code).toBe('INVALID_API_KEY');
    // So does the heartbeat, after 45 s at the earliest.
    annals.app.get(WaitingPolls).release(waiting.id);
    expect((await poll)?.body.code).toBe('INVALID_API_KEY');
    expect([await logsIn('second secret'), await logsIn('first secret')]).toEqual([true, false]);
    expect((await iris.api.get('/users/me')).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
    await annals.restart();
    iris = { ...iris, api: annals.api.as({ email, apiKey }) };
    expect(await logsIn('second secret')).toBe(true);
  });

  it('accepts one of several concurrent changes with the same old password', async () => {
    const changes = ['a', 'b', 'c', 'd'].map((one) =>
      update({ old_password: 'second secret', new_password: `third secret ${one}` }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400, 400, 400]);
  });

  it('answers 429 after too many wrong passwords', () =>
    inOneMinute(async () => {
      const guess = () => update({ old_password: 'a guess', new_password: 'third secret' });
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await guess()).status);
      expect(statuses).toContain(400);
      expect(statuses.at(-1)).toBe(429);
      expect((await update({ enter_sends: true })).status).toBe(200);
    }));
});
