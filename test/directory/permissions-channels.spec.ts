import { describe, expect, it } from '@jest/globals';
import { seersOf } from '../../src/directory/channel-visibility.js';
import { isDirectoryEvent } from '../../src/directory/directory.changes.js';
import { Directory } from '../../src/directory/directory.js';
import { type ChannelAction, may, why } from '../../src/directory/permissions.js';
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../src/events/channels/channels.settings.js';
import { SYSTEM_GROUP_IDS } from '../../src/events/shared/group-setting.js';
import { channelData, channelPermissions, groupData } from '../support/events/events.js';
import { history, type InHistory } from '../support/events/history.js';

const { 'role:nobody': NOBODY, 'role:everyone': EVERYONE } = SYSTEM_GROUP_IDS;

/** Two users of each role: the first has no subscription, the second all. An id is the role plus `OUT` or `IN`. */
const ROLE_IDS = [100, 200, 300, 400, 600] as const;
const OUT = 1;
const IN = 2;

const user = (userId: number, role: number): InHistory => [
  'users',
  {
    type: 'UserCreated',
    data: {
      userId,
      email: `u${userId}@example.com`,
      fullName: `U ${userId}`,
      role,
      passwordHash: null,
      channelIds: [],
    },
  },
];

const everybody = ROLE_IDS.flatMap((role) => [user(role + OUT, role), user(role + IN, role)]);
const ids = ROLE_IDS.flatMap((role) => [role + OUT, role + IN]);

/** The permissions of the organization that apply in channels. */
const REACHING = [
  'can_add_subscribers_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
] as const;

const setting = (name: string, to: unknown): InHistory => [
  'organization',
  { type: 'RealmSettingChanged', data: { setting: name, from: NOBODY, to } },
];

const PUBLIC = 1;
const PRIVATE = 2;
const PROTECTED = 3;
const CHANNELS = [PUBLIC, PRIVATE, PROTECTED];

const channel = (channelId: number, given: ChannelPermission | null): InHistory => {
  const nobody = Object.keys(CHANNEL_PERMISSIONS).map((name) => [name, NOBODY]);
  const permissions = channelPermissions({
    ...Object.fromEntries(nobody),
    can_send_message_group: EVERYONE,
    ...(given === null ? {} : { [given]: { direct_members: ids, direct_subgroups: [] } }),
  });
  const inviteOnly = channelId !== PUBLIC;
  const historyPublicToSubscribers = channelId !== PROTECTED;
  return [
    'channels',
    {
      type: 'ChannelCreated',
      data: channelData(channelId, { inviteOnly, historyPublicToSubscribers, permissions, subscriberIds: [] }),
    },
  ];
};

const subscribed = (channelId: number): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersSubscribed', data: { channelId, userIds: ROLE_IDS.map((role) => role + IN) } },
];

/** Gives all permissions to nobody, except that everybody may post and has `given`. The events of `more` follow. */
function directoryWith(given: ChannelPermission | null, ...more: readonly InHistory[]): Directory {
  const directory = new Directory();
  const events = history(
    ['organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }],
    ...REACHING.map((name) => setting(name, NOBODY)),
    ...everybody,
    ...CHANNELS.flatMap((channelId) => [channel(channelId, given), subscribed(channelId)]),
    ...more,
  );
  for (const event of events) if (isDirectoryEvent(event)) directory.apply(event);
  return directory;
}

function isAllowed(directory: Directory, userId: number, channelId: number, to: ChannelAction): boolean {
  const record = directory.channel(channelId);
  const account = directory.user(userId);
  if (!record || !account) throw new Error('no such channel, or no such account');
  const allowed = may(account, { channel: record, to }, directory);
  const explained = why(account, { channel: record, to }, directory);
  expect([to, explained.allowed]).toEqual([to, allowed]);
  expect(explained.checks.at(-1)?.holds).toBe(allowed);
  return allowed;
}

/** By role, from owner to guest: outside a public, a private and a protected channel / inside them. `x` is allowed. */
function rowOf(directory: Directory, to: ChannelAction): string {
  return ROLE_IDS.map((role) =>
    [OUT, IN]
      .map((place) =>
        CHANNELS.map((channelId) => (isAllowed(directory, role + place, channelId, to) ? 'x' : '-')).join(''),
      )
      .join('/'),
  ).join(' ');
}

const ACTIONS = [
  'see',
  'read',
  'join',
  'post',
  'add subscribers',
  'remove subscribers',
  'administer',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_resolve_topics_group',
] as const satisfies readonly ChannelAction[];

type Table = Readonly<Partial<Record<(typeof ACTIONS)[number], string>>>;

const tableOf = (directory: Directory): Table => Object.fromEntries(ACTIONS.map((to) => [to, rowOf(directory, to)]));

/** Answers the rows that differ from those without any given permission. */
const changedBy = (directory: Directory): Table => {
  const usual = tableOf(directoryWith(null));
  return Object.fromEntries(Object.entries(tableOf(directory)).filter(([to, row]) => usual[to as keyof Table] !== row));
};

/** The rows that each permission of a channel changes if everybody has it. All other rows stay the same. */
const BROUGHT: Readonly<Record<ChannelPermission, Table>> = {
  can_add_subscribers_group: {
    see: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/xxx',
    read: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/xxx',
    join: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/---',
    post: 'xx-/xxx xx-/xxx xx-/xxx xx-/xxx ---/xxx',
    'add subscribers': 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/---',
    can_move_messages_out_of_channel_group: 'xxx/xxx xxx/xxx ---/--- ---/--- ---/---',
    can_move_messages_within_channel_group: 'xxx/xxx xxx/xxx ---/--- ---/--- ---/---',
  },
  can_administer_channel_group: {
    see: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/xxx',
    'add subscribers': 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
    'remove subscribers': 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/---',
    administer: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/---',
    can_move_messages_out_of_channel_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
    can_move_messages_within_channel_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
  },
  can_delete_any_message_group: {
    can_delete_any_message_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
    can_delete_own_message_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
  },
  can_delete_own_message_group: {
    can_delete_own_message_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx',
  },
  can_move_messages_out_of_channel_group: {
    can_move_messages_out_of_channel_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
  },
  can_move_messages_within_channel_group: {
    can_move_messages_within_channel_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx',
  },
  can_remove_subscribers_group: {
    'remove subscribers': 'xxx/xxx xxx/xxx x--/xxx x--/xxx ---/---',
  },
  can_resolve_topics_group: {
    can_resolve_topics_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx',
  },
  can_send_message_group: {},
  can_subscribe_group: {
    see: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/xxx',
    read: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/xxx',
    join: 'xxx/xxx xxx/xxx xxx/xxx xxx/xxx ---/---',
    post: 'xx-/xxx xx-/xxx xx-/xxx xx-/xxx ---/xxx',
    'add subscribers': 'xxx/xxx xxx/xxx ---/--- ---/--- ---/---',
    can_move_messages_out_of_channel_group: 'xxx/xxx xxx/xxx ---/--- ---/--- ---/---',
    can_move_messages_within_channel_group: 'xxx/xxx xxx/xxx ---/--- ---/--- ---/---',
  },
};

/** The rows that each permission of the organization changes if everybody has it. */
const BROUGHT_EVERYWHERE: Readonly<Record<(typeof REACHING)[number], Table>> = {
  can_add_subscribers_group: { 'add subscribers': 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---' },
  can_delete_any_message_group: {
    can_delete_any_message_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
    can_delete_own_message_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
  },
  can_delete_own_message_group: { can_delete_own_message_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx' },
  can_move_messages_between_channels_group: {
    can_move_messages_out_of_channel_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
  },
  can_move_messages_between_topics_group: {
    can_move_messages_within_channel_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx',
  },
  can_resolve_topics_group: { can_resolve_topics_group: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx' },
};

describe('the permissions in a channel', () => {
  it('are as in the table if only the right to post is given', () => {
    expect(tableOf(directoryWith(null))).toEqual({
      see: 'xxx/xxx xxx/xxx x--/xxx x--/xxx ---/xxx',
      read: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx',
      join: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/---',
      post: 'x--/xxx x--/xxx x--/xxx x--/xxx ---/xxx',
      'add subscribers': 'x--/xxx x--/xxx ---/--- ---/--- ---/---',
      'remove subscribers': 'xxx/xxx xxx/xxx ---/--- ---/--- ---/---',
      administer: 'xxx/xxx xxx/xxx ---/--- ---/--- ---/---',
      can_delete_any_message_group: '---/--- ---/--- ---/--- ---/--- ---/---',
      can_delete_own_message_group: '---/--- ---/--- ---/--- ---/--- ---/---',
      can_move_messages_out_of_channel_group: 'x--/xxx x--/xxx ---/--- ---/--- ---/---',
      can_move_messages_within_channel_group: 'x--/xxx x--/xxx ---/--- ---/--- ---/---',
      can_resolve_topics_group: '---/--- ---/--- ---/--- ---/--- ---/---',
    });
  });

  it.each(Object.entries(BROUGHT))('are extended by %s of the channel', (permission, brought) => {
    expect(changedBy(directoryWith(permission as ChannelPermission))).toEqual(brought);
  });

  it.each(Object.entries(BROUGHT_EVERYWHERE))('are extended by %s of the organization', (permission, brought) => {
    expect(changedBy(directoryWith(null, setting(permission, EVERYONE)))).toEqual(brought);
  });

  it('limit posting to nobody, or to a role', () => {
    const limitedTo = (to: number) =>
      rowOf(
        directoryWith(
          null,
          ...CHANNELS.map(
            (channelId): InHistory => [
              'channels',
              {
                type: 'ChannelPermissionChanged',
                data: { channelId, setting: 'can_send_message_group', from: EVERYONE, to },
              },
            ],
          ),
        ),
        'post',
      );
    expect(limitedTo(NOBODY)).toBe('---/--- ---/--- ---/--- ---/--- ---/---');
    expect(limitedTo(SYSTEM_GROUP_IDS['role:moderators'])).toBe('x--/xxx x--/xxx x--/xxx ---/--- ---/---');
  });

  it('allow nobody to post in an archived channel, and stay the same otherwise', () => {
    const archived = CHANNELS.map(
      (channelId): InHistory => ['channels', { type: 'ChannelArchived', data: { channelId } }],
    );
    for (const permission of ['can_add_subscribers_group', 'can_subscribe_group'] as const) {
      const before = tableOf(directoryWith(permission));
      const post = '---/--- ---/--- ---/--- ---/--- ---/---';
      expect(tableOf(directoryWith(permission, ...archived))).toEqual({ ...before, post });
    }
  });

  it('allow nothing to deactivated accounts', () => {
    const ended = ids
      .filter((id) => id !== 100 + OUT)
      .map((userId): InHistory => ['users', { type: 'UserDeactivated', data: { userId } }]);
    const directory = directoryWith('can_administer_channel_group', ...ended);
    for (const to of ACTIONS) expect(rowOf(directory, to).slice(4)).toBe('--- ---/--- ---/--- ---/--- ---/---');
  });

  it.each([
    ['can_subscribe_group', 'join'],
    ['can_send_message_group', 'post'],
    ['can_add_subscribers_group', 'add subscribers'],
    ['can_remove_subscribers_group', 'remove subscribers'],
    ['can_administer_channel_group', 'administer'],
  ] as const)('give the same for %s as for the action %j', (permission, to) => {
    for (const given of [null, permission]) {
      const directory = directoryWith(given);
      expect(rowOf(directory, permission)).toBe(rowOf(directory, to));
    }
  });

  it('are given through nested groups', () => {
    const group = (groupId: number, memberIds: number[], subgroupIds: number[]): InHistory => [
      'userGroups',
      { type: 'UserGroupCreated', data: groupData(groupId, { memberIds, subgroupIds }) },
    ];
    const directory = directoryWith(
      null,
      group(9, [400 + OUT, 600 + OUT], []),
      group(10, [], [9]),
      group(11, [], [10]),
      [
        'channels',
        {
          type: 'ChannelPermissionChanged',
          data: { channelId: PRIVATE, setting: 'can_subscribe_group', from: NOBODY, to: 11 },
        },
      ],
    );
    expect(rowOf(directory, 'read')).toBe('x--/xxx x--/xxx x--/xxx xx-/xxx ---/xxx');
  });

  it('show a channel to exactly the users outside it that the audience of its events names', () => {
    for (const given of [null, ...(Object.keys(BROUGHT) as ChannelPermission[])]) {
      const directory = directoryWith(given);
      for (const channelId of CHANNELS) {
        const record = directory.channel(channelId);
        if (!record) throw new Error('no such channel');
        const { roles, groups } = seersOf(record);
        const named = (role: (typeof ROLE_IDS)[number]): boolean =>
          roles.includes(role) ||
          (role !== 600 && groups.some((group) => directory.wasInGroupAfter(role + OUT, group, directory.position)));
        for (const role of ROLE_IDS) expect(named(role)).toBe(isAllowed(directory, role + OUT, channelId, 'see'));
      }
    }
  });
});
