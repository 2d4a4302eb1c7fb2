import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES } from '../../../src/events/shared/role.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const MODERATORS = 5;

describe('GET /permissions/why', () => {
  let annals: Annals;
  let owner: Member;
  const people: [string, Member][] = [];
  const channels: [string, number][] = [];

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    people.push(['owner', owner]);
    for (const [name, role] of Object.entries(ROLES).filter(([one]) => one !== 'owner'))
      people.push([name, await annals.user(name, role)]);
    const inside = people.map(([, { id }]) => id);
    const make = async (name: string, params: object) => {
      const { body } = await owner.api.post('/channels/create', { name, subscribers: [owner.id], ...params });
      channels.push([name, body.id]);
      return body.id;
    };
    await make('public', {});
    await make('public and subscribed', { subscribers: inside });
    await make('private', { invite_only: true });
    await make('private and subscribed', { invite_only: true, subscribers: inside });
    await make('for moderators', { subscribers: inside, can_send_message_group: MODERATORS });
    await make('opened', { invite_only: true, can_subscribe_group: { direct_members: inside, direct_subgroups: [] } });
    await owner.api.delete(`/streams/${await make('archived', { subscribers: inside })}`);
  });
  afterAll(() => annals.stop());

  const why = async (params: object, by = owner) => (await by.api.get('/permissions/why', { ...params })).body;

  /** What each person may do, by the answers of the API itself. */
  const TRIED: Readonly<Record<string, (who: Member, id: number, name: string) => Promise<boolean>>> = {
    post: async ({ api }, to) =>
      (await api.post('/messages', { type: 'channel', to, topic: 't', content: 'hello' })).status === 200,
    read: async ({ api }, id) => (await api.get(`/users/me/${id}/topics`)).status === 200,
    administer: async ({ api }, id) => (await api.patch(`/streams/${id}`, { description: `of ${id}` })).status === 200,
  };

  it.each(Object.keys(TRIED))('says of %s what the API does, for every role and kind of channel', async (action) => {
    for (const [kind, channel_id] of channels)
      for (const [role, who] of people) {
        const { allowed } = await why({ user_id: who.id, action, channel_id });
        expect([role, kind, allowed]).toEqual([role, kind, await TRIED[action]?.(who, channel_id, kind)]);
      }
  });

  it.each([
    ['can_create_public_channel_group', '/channels/create', () => ({ name: `made ${Math.random()}`, subscribers: [] })],
    ['can_invite_users_group', '/invites', () => ({ invitee_emails: `${Math.random()}@example.com`, stream_ids: [] })],
    ['create_multiuse_invite_group', '/invites/multiuse', () => ({ stream_ids: [] })],
    [
      'can_create_groups',
      '/user_groups/create',
      () => ({ name: `group ${Math.random()}`, description: '', members: [] }),
    ],
  ] as const)('says of %s what the API does, for every role', async (action, path, params) => {
    for (const [role, who] of people) {
      const { allowed } = await why({ user_id: who.id, action });
      const { status } = await who.api.post(path, params());
      expect([role, allowed]).toEqual([role, status === 200]);
    }
  });

  it('names the setting and the group that decide', async () => {
    const [, member] = people.find(([role]) => role === 'member') ?? [];
    const [, id] = channels.find(([kind]) => kind === 'for moderators') ?? [];
    const { allowed, checks } = await why({ user_id: member?.id, action: 'post', channel_id: id });
    expect(allowed).toBe(false);
    expect(checks.filter(({ decides }: { decides: boolean }) => decides)).toEqual([
      {
        asks: 'setting',
        setting: 'can_send_message_group',
        of: 'channel',
        value: MODERATORS,
        guests: true,
        holds: false,
        decides: true,
        groups: [{ group_id: MODERATORS, name: 'Moderators', is_in: false }],
        names_account: false,
      },
    ]);
  });

  it('says that a deactivated account may do nothing', async () => {
    const leaver = await annals.user('leaver');
    await owner.api.delete(`/users/${leaver.id}`);
    const { allowed, checks } = await why({ user_id: leaver.id, action: 'can_create_groups' });
    expect([allowed, checks]).toEqual([
      false,
      [{ asks: 'fact', fact: 'account is active', holds: false, decides: true }],
    ]);
  });

  it('is for administrators, and refuses unknown accounts, channels and actions', async () => {
    const ask =
      (params: object, by = owner) =>
      () =>
        by.api.get('/permissions/why', { user_id: owner.id, ...params });
    for (const [role, who] of people) {
      const { status } = await ask({ action: 'can_create_groups' }, who)();
      expect([role, status]).toEqual([role, role === 'owner' || role === 'administrator' ? 200 : 400]);
    }
    await expectRefusal(annals, ask({ user_id: 999, action: 'can_create_groups' }), 'No such user');
    await expectRefusal(annals, ask({ channel_id: 999, action: 'read' }), 'Invalid channel ID');
    await expectRefusal(annals, ask({ action: 'read' }), 'read is an action in a channel: name one');
    const [, channel_id] = channels[0] ?? [];
    await expectRefusal(
      annals,
      ask({ channel_id, action: 'can_create_groups' }),
      'can_create_groups is an action in the whole organization: name no channel',
    );
    const unknown = await ask({ action: 'fly' })();
    expect([unknown.status, unknown.body.msg]).toEqual([400, expect.stringContaining('can_send_message_group')]);
  });
});
