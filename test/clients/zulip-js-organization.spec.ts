import { afterAll, beforeAll, expect, it } from '@jest/globals';
import zulip from 'zulip-js';
import { type OwnEngines, ownEngines } from '../support/engines/own-engines.js';
import { RunningServer } from '../support/servers/running-server.js';

const PASSWORD = 'correct horse battery';
type Library = Awaited<ReturnType<typeof zulip>>;
type Parameters = Record<string, unknown>;

/** The role of each account besides the owner: administrators, a moderator, members and a guest. */
const PEOPLE = { ada: 200, ben: 200, mia: 300, tom: 400, eve: 400, kim: 400, gus: 600 } as const;
type Person = keyof typeof PEOPLE;

/** Nested groups, from the innermost: each has the one before as a subgroup. */
const GROUPS: readonly (readonly [name: string, members: readonly Person[]])[] = [
  ['typography', ['eve']],
  ['design', ['kim']],
  ['product', ['tom']],
  ['company', ['mia']],
];

let engines: OwnEngines;
let server: RunningServer;

beforeAll(async () => {
  engines = await ownEngines();
  const settings = { ANNALS_OWNER_PASSWORD: PASSWORD, ...engines.environment };
  server = await (await RunningServer.start(engines.dataDirectory, settings)).caughtUp();
});
afterAll(async () => {
  await server.stop();
  await engines.remove();
});

/** Makes parameters JSON: the library does so only for lists of a POST. It sends those of other methods as a query. */
async function call(library: Library, method: string, path: string, parameters: Parameters = {}): Promise<Parameters> {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return library.callEndpoint(path, method, Object.fromEntries(texts));
}

async function done(answer: Promise<Parameters>): Promise<Parameters> {
  const said = await answer;
  expect(said).toMatchObject({ result: 'success', msg: '' });
  expect(said).not.toHaveProperty('ignored_parameters_unsupported');
  return said;
}

it('builds an organization of five roles, five channels and four nested groups from nothing', async () => {
  const logIn = (name: string) => zulip({ username: `${name}@example.com`, password: PASSWORD, realm: server.url });
  const owner = await logIn('owner');
  const asOwner = (method: string, path: string, parameters?: Parameters) =>
    done(call(owner, method, path, parameters));

  // People
  const ids = {} as Record<Person, number>;
  for (const [name, role] of Object.entries(PEOPLE) as [Person, number][]) {
    const created = await done(
      owner.users.create({ email: `${name}@example.com`, password: PASSWORD, full_name: name }),
    );
    ids[name] = Number(created.user_id);
    if (role !== 400) await asOwner('PATCH', `/users/${ids[name]}`, { role });
  }

  // Groups, from the inside out
  const groupIds: Record<string, number> = {};
  let inner: number[] = [];
  for (const [name, members] of GROUPS) {
    const created = await asOwner('POST', '/user_groups/create', {
      name,
      description: `Everybody of ${name}`,
      members: members.map((member) => ids[member]),
      subgroups: inner,
    });
    groupIds[name] = Number(created.group_id);
    inner = [Number(created.group_id)];
  }
  const groupId = (name: string): number => groupIds[name] as number;

  // Channels: three open ones, one for a group, one for administrators
  const channelIds: Record<string, number> = {};
  const channel = async (name: string, options: Parameters = {}): Promise<void> => {
    const created = await asOwner('POST', '/channels/create', { name, subscribers: [1], ...options });
    channelIds[name] = Number(created.id);
  };
  await channel('announcements', { can_send_message_group: groupId('product') });
  await channel('help', { description: 'Ask *anything*' });
  await channel('design', { can_administer_channel_group: groupId('design') });
  await channel('fonts', { invite_only: true, can_subscribe_group: groupId('design') });
  await channel('board', { invite_only: true, subscribers: [1, ids.ada] });
  const channelId = (name: string): number => channelIds[name] as number;
  await asOwner('POST', '/default_streams', { stream_id: channelId('help') });
  await asOwner('PATCH', '/realm', { can_create_groups: { new: groupId('company') }, description: 'Fine type' });

  // Permissions hold for members of subgroups: eve is in typography, which is in design, in product, in company.
  const eve = await logIn('eve');
  const gus = await logIn('gus');
  const tom = await logIn('tom');
  const subscribe = (who: Library, name: string) =>
    call(who, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  expect(await subscribe(eve, 'fonts')).toMatchObject({ result: 'success' });
  expect(await subscribe(tom, 'fonts')).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  expect(await call(eve, 'PATCH', `/streams/${channelId('design')}`, { description: 'Shapes' })).toMatchObject({
    result: 'success',
  });
  expect(await call(tom, 'PATCH', `/streams/${channelId('design')}`, { description: 'Mine' })).toMatchObject({
    result: 'error',
  });
  const post = (who: Library, to: string) =>
    call(who, 'POST', '/messages', { type: 'channel', to, topic: 'hello', content: 'Hello' });
  expect(await post(eve, 'announcements')).toMatchObject({ result: 'success' });
  expect(await post(await logIn('mia'), 'announcements')).toMatchObject({ result: 'error' });
  expect(
    await call(eve, 'POST', '/user_groups/create', { name: 'kerning', description: '', members: [ids.eve] }),
  ).toMatchObject({ result: 'success' });
  expect(
    await call(await logIn('ada'), 'POST', '/user_groups/create', { name: 'x', description: '', members: [] }),
  ).toMatchObject({ result: 'error' });

  // A cycle of groups and the loss of the last owner are refused.
  expect(
    await call(owner, 'POST', `/user_groups/${groupId('typography')}/subgroups`, { add: [groupId('company')] }),
  ).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  expect(await call(owner, 'PATCH', '/users/1', { role: 400 })).toMatchObject({ result: 'error' });

  // Each account sees the people, groups and channels that it may see.
  const { members } = await done(owner.users.retrieve());
  const roles = Object.fromEntries((members as Parameters[]).map(({ full_name, role }) => [full_name, role]));
  expect(roles).toMatchObject(PEOPLE);
  const { user_groups } = await done(call(eve, 'GET', '/user_groups'));
  const nested = (user_groups as Parameters[]).filter(({ name }) => GROUPS.some(([own]) => own === name));
  expect(nested.map(({ name, members, direct_subgroup_ids }) => [name, members, direct_subgroup_ids])).toEqual(
    GROUPS.map(([name, [member]], index) => {
      const within = GROUPS[index - 1]?.[0];
      return [name, [ids[member as Person]], within === undefined ? [] : [groupId(within)]];
    }),
  );
  const seen = async (who: Library) => {
    const { streams } = await done(call(who, 'GET', '/streams'));
    return (streams as Parameters[]).map(({ name }) => name).sort();
  };
  const open = ['announcements', 'design', 'general', 'help'];
  expect(await seen(eve)).toEqual([...open, 'fonts'].sort());
  expect(await seen(tom)).toEqual(open);
  expect(await seen(gus)).toEqual(['general']);
});
