import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFreshState } from '../../support/client-state/fresh-state.js';
import { type Act, Storm } from '../../support/client-state/storm.js';
import { dice, oneOf, type Roll } from '../../support/dice.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

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

/** Specs of random changes of user groups, one for each seed. Most requests are refused; the accepted ones matter. */
export function stormOfUserGroups(seeds: readonly number[]): void {
  describe('queues in a storm of changes of user groups', () => {
    let annals: Annals;
    let owner: Member;
    let readers: (readonly [Member, Params])[];
    /** Users that are deactivated and reactivated, and that get other roles. */
    let people: number[];
    /** The same users and one of the readers. */
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

    const some = (list: readonly number[], roll: Roll): number[] =>
      [...new Set([oneOf(list, roll), oneOf(list, roll)])].sort((a, b) => a - b);
    const anyone = (roll: Roll): object => ({
      direct_members: some(people, roll),
      direct_subgroups: [5, ...(roll(2) === 0 && groups.length > 0 ? [oneOf(groups, roll)] : [])],
    });
    const groupPath = (roll: Roll): string => `/user_groups/${oneOf(groups, roll)}`;
    const userPath = (roll: Roll): string => `/users/${oneOf(people, roll)}`;

    const createGroup = async (roll: Roll): Promise<void> => {
      const group = { name: `group ${++made}`, description: '', members: some(people, roll) };
      const { body } = await owner.api.post('/user_groups/create', { ...group, can_join_group: anyone(roll) });
      if (body.group_id !== undefined) groups.push(body.group_id);
    };

    const ACTS: readonly Act[] = [
      { name: 'a group is made', run: createGroup },
      {
        name: 'a group is renamed and described',
        run: (roll) => owner.api.patch(groupPath(roll), { name: `group ${++made}`, description: `${made}` }),
      },
      {
        name: 'a permission of a group changes, and the group comes back',
        run: (roll) => owner.api.patch(groupPath(roll), { can_leave_group: { new: anyone(roll) }, deactivated: false }),
      },
      { name: 'a group is deactivated', run: (roll) => owner.api.post(`${groupPath(roll)}/deactivate`) },
      {
        name: 'a member is added',
        weight: 2,
        run: (roll) => owner.api.post(`${groupPath(roll)}/members`, { add: [oneOf(joining, roll)] }),
      },
      {
        name: 'a member is removed',
        run: (roll) => owner.api.post(`${groupPath(roll)}/members`, { delete: [oneOf(joining, roll)] }),
      },
      {
        name: 'a subgroup is added',
        run: (roll) => owner.api.post(`${groupPath(roll)}/subgroups`, { add: [oneOf(groups, roll)] }),
      },
      {
        name: 'a subgroup is removed',
        run: (roll) => owner.api.post(`${groupPath(roll)}/subgroups`, { delete: [oneOf(groups, roll)] }),
      },
      { name: 'a user is deactivated', run: (roll) => owner.api.delete(userPath(roll)) },
      { name: 'a user is reactivated', weight: 2, run: (roll) => owner.api.post(`${userPath(roll)}/reactivate`) },
      {
        name: 'a user gets a role',
        run: (roll) => owner.api.patch(userPath(roll), { role: oneOf([200, 300, 400, 600], roll) }),
      },
      {
        name: 'a permission of the organization and one of a channel change',
        weight: 3,
        run: async (roll) => {
          await owner.api.patch('/realm', { can_create_groups: { new: anyone(roll) } });
          const permission = oneOf(['can_subscribe_group', 'can_add_subscribers_group'], roll);
          await owner.api.patch(`/streams/${1 + roll(4)}`, { [permission]: { new: anyone(roll) } });
        },
      },
    ];

    it.each(seeds)('give the fresh state (storm %i)', async (seed) => {
      const register = ([reader, params]: readonly [Member, Params]) =>
        EventQueue.register(reader.api, { event_types: STATE, include_subscribers: true, ...params });
      const roll = dice(seed);
      while (groups.length < 3) await createGroup(roll);
      const storm = new Storm(seed, ACTS);
      let blowing = true;
      const registered: { as: readonly [Member, Params]; queue: EventQueue }[] = [];
      const registering = async (): Promise<void> => {
        while (blowing) for (const as of readers) registered.push({ as, queue: await register(as) });
      };
      const registrations = registering();
      await storm.blow(150, 3);
      blowing = false;
      await registrations;

      expect(registered.length).toBeGreaterThan(6);
      for (const as of readers) {
        const queues = registered.filter((one) => one.as === as).map(({ queue }) => queue);
        await expectFreshState(as[0].id, queues, register(as));
      }
    });
  });
}
