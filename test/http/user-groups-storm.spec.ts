import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Annals, type Member } from '../support/annals.js';
import { ClientState } from '../support/client-state.js';
import { dice } from '../support/dice.js';
import { EventQueue } from '../support/event-queue.js';
import type { Params } from '../support/http.js';

const STATE = [
  'message',
  'update_message_flags',
  'realm',
  'realm_user',
  'realm_bot',
  'stream',
  'subscription',
  'default_streams',
  'user_group',
  'realm_user_groups',
];
const KNOWS = { include_deactivated_groups: true };

jest.setTimeout(60_000);

/** Most of what is asked is refused for one reason or another: what is done is what counts. */
describe('groups in a storm of changes', () => {
  let annals: Annals;
  let owner: Member;
  let readers: (readonly [Member, Params])[];
  /** They come and go, and have other roles. */
  let people: number[];
  /** They, and a reader. */
  let joining: number[];
  const groups: number[] = [];
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '1' });
    owner = await annals.owner();
    const guest = await annals.user('guest', 600);
    const member = await annals.user('member');
    readers = [
      [owner, { client_capabilities: KNOWS }],
      [member, {}],
      [guest, { client_capabilities: KNOWS }],
    ];
    people = [];
    for (let n = 0; n < 6; n++) people.push((await annals.user(`person${n}`)).id);
    joining = [...people, member.id, member.id];
    for (const name of ['open', 'closed', 'shut'])
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], invite_only: name !== 'open' });
  });
  afterAll(() => annals.stop());

  type Roll = ReturnType<typeof dice>;
  const oneOf = <T>(list: readonly T[], roll: Roll): T => list[roll(list.length)] as T;
  const some = (list: readonly number[], roll: Roll): number[] =>
    [...new Set([oneOf(list, roll), oneOf(list, roll)])].sort((a, b) => a - b);
  const anyone = (roll: Roll): object => ({
    direct_members: some(people, roll),
    direct_subgroups: [5, ...(roll(2) === 0 && groups.length > 0 ? [oneOf(groups, roll)] : [])],
  });

  async function change(roll: Roll): Promise<void> {
    const group = `/user_groups/${oneOf(groups, roll)}`;
    const who = oneOf(people, roll);
    const { api } = owner;
    switch (groups.length < 3 ? 0 : roll(16)) {
      case 0: {
        const { body } = await api.post('/user_groups/create', {
          name: `group ${++made}`,
          description: '',
          members: some(people, roll),
          can_join_group: anyone(roll),
        });
        if (body.group_id !== undefined) groups.push(body.group_id);
        return;
      }
      case 1:
        await api.patch(group, { name: `group ${++made}`, description: `${made}` });
        return;
      case 2:
        await api.patch(group, { can_leave_group: { new: anyone(roll) }, deactivated: false });
        return;
      case 3:
        await api.post(`${group}/deactivate`);
        return;
      case 4:
      case 5:
        await api.post(`${group}/members`, { add: [oneOf(joining, roll)] });
        return;
      case 6:
        await api.post(`${group}/members`, { delete: [oneOf(joining, roll)] });
        return;
      case 7:
        await api.post(`${group}/subgroups`, { add: [oneOf(groups, roll)] });
        return;
      case 8:
        await api.post(`${group}/subgroups`, { delete: [oneOf(groups, roll)] });
        return;
      case 9:
        await api.delete(`/users/${who}`);
        return;
      case 10:
      case 11:
        await api.post(`/users/${who}/reactivate`);
        return;
      case 12:
        await api.patch(`/users/${who}`, { role: oneOf([200, 300, 400, 600], roll) });
        return;
      default:
        await api.patch('/realm', { can_create_groups: { new: anyone(roll) } });
        await api.patch(`/streams/${1 + roll(4)}`, {
          [oneOf(['can_subscribe_group', 'can_add_subscribers_group'], roll)]: { new: anyone(roll) },
        });
    }
  }

  it.each([1, 2, 3])('state and the events that follow are the fresh state (storm %i)', async (seed) => {
    const register = ([reader, params]: readonly [Member, Params]) =>
      EventQueue.register(reader.api, { event_types: STATE, include_subscribers: true, ...params });
    const roll = dice(seed);
    let left = 150;
    const registered: { as: readonly [Member, Params]; queue: EventQueue }[] = [];
    const registering = async (): Promise<void> => {
      while (left > 0) for (const as of readers) registered.push({ as, queue: await register(as) });
    };
    const hand = async (): Promise<void> => {
      while (left-- > 0) await change(roll);
    };
    await Promise.all([registering(), hand(), hand(), hand()]);

    expect(registered.length).toBeGreaterThan(6);
    for (const as of readers) {
      const [reader] = as;
      const expected = new ClientState((await register(as)).state, reader.id).comparable;
      for (const { queue } of registered.filter((one) => one.as === as)) {
        const client = new ClientState(queue.state, reader.id);
        for (const event of await queue.drain()) client.apply(event);
        expect(client.comparable).toEqual(expected);
      }
    }
  });
});
