import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newGroup } from '../../support/requests/groups.js';
import type { Answer, Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const MEMBERS = 3;

/** `x`: done. `-`: not permitted. `g`: refused to guests. `b`: refused to bots. `!`: 401. */
function mark({ status, body }: Answer): string {
  if (status === 200) return 'x';
  if (status === 401) return '!';
  const marks: Record<string, string> = {
    'Insufficient permission': '-',
    'Not allowed for guest users': 'g',
    'This endpoint does not accept bot requests.': 'b',
  };
  return marks[body.msg] ?? JSON.stringify(body);
}

/**
 * A member creates the groups and gives their permissions to another group, `managing`. A member, a guest, a bot and a
 * deactivated account are in `managing` indirectly, through two more groups.
 */
describe('permissions on user groups', () => {
  let annals: Annals;
  let creator: Member;
  /** Is in no group. */
  let target: Member;
  let managing: number;
  const people: (readonly [string, Member])[] = [];
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    const owner = await annals.owner();
    creator = await annals.user('creator');
    target = await annals.user('target');
    const bot = async (name: string): Promise<Member> => {
      const { body } = await owner.api.post('/bots', { full_name: name, short_name: name });
      const { email } = (await owner.api.get(`/users/${body.user_id}`)).body.user;
      const credentials = { email, apiKey: body.api_key };
      return { id: body.user_id, ...credentials, api: annals.api.as(credentials) };
    };
    people.push(
      ['owner', owner],
      ['administrator', await annals.user('administrator', 200)],
      ['moderator', await annals.user('moderator', 300)],
      ['member', await annals.user('member')],
      ['manager', await annals.user('manager')],
      ['guest', await annals.user('guest', 600)],
      ['guest among managers', await annals.user('guest.manager', 600)],
      ['bot', await bot('plain')],
      ['bot among managers', await bot('managing')],
      ['deactivated manager', await annals.user('gone')],
    );
    const managers = people.filter(([name]) => name.includes('manager')).map(([, { id }]) => id);
    const inner = await newGroup(creator, { members: managers });
    const middle = await newGroup(creator, { members: [], subgroups: [inner] });
    managing = await newGroup(creator, { members: [], subgroups: [middle] });
    await owner.api.delete(`/users/${(people.at(-1) as (typeof people)[number])[1].id}`);
  });
  afterAll(() => annals.stop());

  const NOTHING = {
    can_manage_group: 8,
    can_add_members_group: 8,
    can_remove_members_group: 8,
    can_join_group: 8,
    can_leave_group: 8,
  };

  type Act = (who: Member, groupId: number) => Promise<Answer>;
  const change =
    (path: string, params: (who: Member) => Params): Act =>
    (who, id) =>
      who.api.post(`/user_groups/${id}/${path}`, params(who));
  const acts: Readonly<Record<string, Act>> = {
    rename: (who, id) => who.api.patch(`/user_groups/${id}`, { name: `renamed ${++made}` }),
    restrict: (who, id) => who.api.patch(`/user_groups/${id}`, { can_mention_group: { new: 6, old: 2 } }),
    deactivate: change('deactivate', () => ({})),
    add: change('members', () => ({ add: [target.id] })),
    remove: change('members', () => ({ delete: [creator.id] })),
    'add and remove': change('members', () => ({ add: [target.id], delete: [creator.id] })),
    'add a group': change('subgroups', () => ({ add: [6] })),
    'remove a group': change('subgroups', () => ({ delete: [5] })),
    'add a group as a member': change('members', () => ({ add_subgroups: [6] })),
    'remove a group as a member': change('members', () => ({ delete_subgroups: [5] })),
    join: change('members', ({ id }) => ({ add: [id] })),
    leave: change('members', ({ id }) => ({ delete: [id] })),
  };

  /** Answers one row of marks for each act on a new group of the creator, in the order of `people`. */
  async function rows(params: Params): Promise<Record<string, string>> {
    const table: Record<string, string> = {};
    for (const [name, act] of Object.entries(acts)) {
      const everybody = people.slice(0, -1).map(([, { id }]) => id);
      const members = [creator.id, ...(name === 'leave' ? everybody : [])];
      table[name] = await row(async (who) =>
        act(who, await newGroup(creator, { members, subgroups: [5], ...NOTHING, ...params })),
      );
    }
    return table;
  }

  async function row(ask: (who: Member) => Promise<Answer>): Promise<string> {
    const marks: string[] = [];
    for (const [, who] of people) marks.push(mark(await ask(who)));
    return marks.join('');
  }

  const all = (marks: string): Record<string, string> =>
    Object.fromEntries(Object.keys(acts).map((name) => [name, marks]));

  // The marks of a row: owner, administrator, moderator, member, manager, guest, guest among managers, bot, bot among
  // managers, deactivated manager.

  it('reading and creating groups is allowed to members, not to guests and bots', async () => {
    const answers = [
      await row((who) => who.api.get('/user_groups')),
      await row((who) => who.api.get(`/user_groups/${managing}/members`)),
      await row((who) => who.api.get(`/user_groups/${managing}/subgroups`)),
      await row((who) => who.api.get(`/user_groups/${managing}/members/${creator.id}`)),
      await row((who) => who.api.post('/user_groups/create', { name: `made ${++made}`, description: '', members: [] })),
    ];
    expect(answers).toEqual(answers.map(() => 'xxxxxggbb!'));
  });

  it('creating groups is allowed to the group that the organization names', async () => {
    const [, owner] = people[0] as (typeof people)[number];
    await owner.api.patch('/realm', { can_create_groups: { new: managing } });
    const create = await row((who) =>
      who.api.post('/user_groups/create', { name: `made ${++made}`, description: '', members: [] }),
    );
    await owner.api.patch('/realm', { can_create_groups: { new: MEMBERS } });
    expect(create).toBe('----xggbb!');
  });

  it('if no permission is given to anybody, only owners may change groups, because they may manage all of them', async () => {
    expect(await rows({})).toEqual(all('x--------!'));
  });

  it('managing all groups is allowed to the group that the organization names, except to guests', async () => {
    const [, owner] = people[0] as (typeof people)[number];
    await owner.api.patch('/realm', { can_manage_all_groups: { new: managing } });
    const table = await rows({});
    await owner.api.patch('/realm', { can_manage_all_groups: { new: 7 } });
    expect(table).toEqual(all('----x---x!'));
  });

  it('a manager may do everything to the group; guests are never managers', async () => {
    expect(await rows({ can_manage_group: managing })).toEqual(all('x---x---x!'));
  });

  it('the permission to add members allows adding and joining', async () => {
    expect(await rows({ can_add_members_group: managing })).toEqual({
      ...all('x--------!'),
      add: 'x---x---x!',
      'add a group': 'x---x---x!',
      'add a group as a member': 'x---x---x!',
      join: 'x---x---x!',
    });
  });

  it('the permission to remove members allows removing and leaving', async () => {
    expect(await rows({ can_remove_members_group: managing })).toEqual({
      ...all('x--------!'),
      remove: 'x---x---x!',
      'remove a group': 'x---x---x!',
      'remove a group as a member': 'x---x---x!',
      leave: 'x---x---x!',
    });
  });

  it('the permissions to join and to leave allow nothing else; guests may leave but not join', async () => {
    expect(await rows({ can_join_group: managing, can_leave_group: managing })).toEqual({
      ...all('x--------!'),
      join: 'x---x---x!',
      leave: 'x---x-x-x!',
    });
    expect(await rows({ can_join_group: MEMBERS, can_leave_group: 2 })).toEqual({
      ...all('x--------!'),
      join: 'xxxxx--xx!',
      leave: 'xxxxxxxxx!',
    });
  });
});
