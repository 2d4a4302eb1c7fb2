import { describe, expect, it } from '@jest/globals';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { isDirectoryEvent } from '../../../src/directory/directory.changes.js';
import { Directory } from '../../../src/directory/directory.js';
import type { ChannelEvent } from '../../../src/events/channels/channels.events.js';
import type { ChannelPermissions } from '../../../src/events/channels/channels.settings.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { isFor } from '../../../src/features/event-queues/queries/audience.js';
import { channelData, channelPermissions } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const { 'role:nobody': NOBODY, 'role:everyone': EVERYONE, 'role:moderators': MODERATORS } = SYSTEM_GROUP_IDS;

/** A user of each role, and a member and a guest who are subscribed to the channel. Ids are in the order of the names. */
const PEOPLE = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
  memberInside: 400,
  guestInside: 600,
} as const;
type Person = keyof typeof PEOPLE;
const NAMES = Object.keys(PEOPLE) as Person[];
const idOf = (person: Person): number => NAMES.indexOf(person) + 1;

const CHANNEL = 4;

const accounts = NAMES.map(
  (name): InHistory => [
    'users',
    {
      type: 'UserCreated',
      data: {
        userId: idOf(name),
        email: `${name}@example.com`,
        fullName: name,
        role: PEOPLE[name],
        passwordHash: null,
        channelIds: [],
      },
    },
  ],
);

const PUBLIC = { inviteOnly: false, historyPublicToSubscribers: true };
const PRIVATE = { inviteOnly: true, historyPublicToSubscribers: false };

interface Kind {
  readonly inviteOnly: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly permissions?: ChannelPermissions;
}

const begun = (kind: Kind): InHistory[] => [
  ...accounts,
  [
    'channels',
    {
      type: 'ChannelCreated',
      data: channelData(CHANNEL, { name: 'art', permissions: channelPermissions(), subscriberIds: [], ...kind }),
    },
  ],
  [
    `subscriptions-${CHANNEL}`,
    {
      type: 'UsersSubscribed',
      data: { channelId: CHANNEL, userIds: [idOf('memberInside'), idOf('guestInside')] },
    },
  ],
];

const happens = (type: ChannelEvent['type'], data: object = {}): InHistory => [
  'channels',
  { type, data: { channelId: CHANNEL, ...data } },
];

interface Telling {
  readonly kind: string;
  readonly payload: ClientEventDocument['payload'];
  readonly to: readonly Person[];
}

/** The client events of the last event, each with the users it is for. */
async function telling(kind: Kind, ...events: readonly InHistory[]): Promise<Telling[]> {
  const log = history(...begun(kind), ...events);
  const { events: feed } = await projected(clientEvents, log);
  const directory = new Directory();
  for (const event of log) if (isDirectoryEvent(event)) directory.apply(event);
  const last = log.at(-1)?.position ?? 0;
  return (feed as unknown as ClientEventDocument[])
    .filter(({ _id }) => Math.floor(_id / 4096) === last)
    .map((event) => ({
      kind: event.kind,
      payload: event.payload,
      to: NAMES.filter((name) => isFor(idOf(name), event, directory)),
    }));
}

const MEMBERS: readonly Person[] = ['owner', 'administrator', 'moderator', 'member', 'memberInside'];
const SEE_PUBLIC: readonly Person[] = [...MEMBERS, 'guestInside'];
const SEE_PRIVATE: readonly Person[] = ['owner', 'administrator', 'memberInside', 'guestInside'];
const TO_GAIN: readonly Person[] = ['moderator', 'member'];

const update = (property: string, value: unknown, more: object = {}) => ({
  kind: 'stream/update',
  payload: { body: { stream_id: CHANNEL, name: 'art', property, value, ...more } },
});

const onlyForThoseWhoKnow = { without: { capability: 'archived_channels', instead: null } };

describe('client events of a channel', () => {
  it.each<[string, InHistory, object]>([
    ['a new name, under the old one', happens('ChannelRenamed', { from: 'art', to: 'Arts' }), update('name', 'Arts')],
    [
      'a new description, with its rendering',
      happens('ChannelDescriptionChanged', { from: 'd', to: 'e', renderedDescription: '<p>e</p>' }),
      update('description', 'e', { rendered_description: '<p>e</p>' }),
    ],
    [
      'a new topics policy',
      happens('ChannelTopicsPolicyChanged', { from: 'inherit', to: 'disable_empty_topic' }),
      update('topics_policy', 'disable_empty_topic'),
    ],
    [
      'a new retention',
      happens('ChannelRetentionChanged', { from: 7, to: null }),
      update('message_retention_days', null),
    ],
    ['a folder', happens('ChannelPutInFolder', { from: null, to: 3 }), update('folder_id', 3)],
    ['no folder any more', happens('ChannelPutInFolder', { from: 3, to: null }), update('folder_id', null)],
    [
      'a changed permission',
      happens('ChannelPermissionChanged', { setting: 'can_resolve_topics_group', from: NOBODY, to: MODERATORS }),
      update('can_resolve_topics_group', MODERATORS),
    ],
  ])('have %s, for exactly the users who see the channel', async (_, event, told) => {
    expect(await telling(PUBLIC, event)).toEqual([{ ...told, to: SEE_PUBLIC }]);
    expect(await telling(PRIVATE, event)).toEqual([{ ...told, to: SEE_PRIVATE }]);
  });

  it('go only to clients with the capability archived_channels if the channel is archived', async () => {
    const renamed = happens('ChannelRenamed', { from: 'art', to: 'Arts' });
    const { kind, payload } = update('name', 'Arts');
    expect(await telling(PUBLIC, happens('ChannelArchived'), renamed)).toEqual([
      { kind, payload: { ...payload, ...onlyForThoseWhoKnow }, to: SEE_PUBLIC },
    ]);
  });

  it('have the permission to post also under its older names, if these can express it', async () => {
    const change = (from: unknown, to: unknown) =>
      telling(PUBLIC, happens('ChannelPermissionChanged', { setting: 'can_send_message_group', from, to }));
    expect(await change(EVERYONE, SYSTEM_GROUP_IDS['role:administrators'])).toEqual([
      { ...update('can_send_message_group', 6), to: SEE_PUBLIC },
      { ...update('stream_post_policy', 2), to: SEE_PUBLIC },
      { ...update('is_announcement_only', true), to: SEE_PUBLIC },
    ]);
    const some = { direct_members: [1], direct_subgroups: [] };
    expect(await change(EVERYONE, some)).toEqual([{ ...update('can_send_message_group', some), to: SEE_PUBLIC }]);
  });

  it('have a permission without deactivated users', async () => {
    const to = { direct_members: [idOf('member'), idOf('moderator')], direct_subgroups: [] };
    const [told] = await telling(
      PUBLIC,
      ['users', { type: 'UserDeactivated', data: { userId: idOf('member') } }],
      happens('ChannelPermissionChanged', { setting: 'can_resolve_topics_group', from: NOBODY, to }),
    );
    expect(told?.payload).toEqual(
      update('can_resolve_topics_group', { direct_members: [idOf('moderator')], direct_subgroups: [] }).payload,
    );
  });
});

describe('a channel appears or disappears for a user', () => {
  const invitedOnly = (value: boolean, history_public_to_subscribers: boolean) =>
    update('invite_only', value, { history_public_to_subscribers, is_web_public: false });

  it('appears when it becomes public, for the users who did not see it', async () => {
    const tellings = await telling(PRIVATE, happens('ChannelPrivacyChanged', { from: PRIVATE, to: PUBLIC }));
    expect(tellings).toEqual([
      { kind: 'stream/create', payload: expect.anything(), to: TO_GAIN },
      { ...invitedOnly(false, true), to: SEE_PRIVATE },
      { kind: 'subscription/peers', payload: { channelId: CHANNEL, isArchived: false }, to: TO_GAIN },
      { kind: 'stream/delete', payload: expect.anything(), to: [] },
    ]);
    expect(tellings[0]?.payload).toMatchObject({ channel: { _id: CHANNEL, inviteOnly: false } });
  });

  it('disappears when it becomes private, and the users who lose it are told only its id', async () => {
    const tellings = await telling(PUBLIC, happens('ChannelPrivacyChanged', { from: PUBLIC, to: PRIVATE }));
    expect(tellings).toEqual([
      { kind: 'stream/create', payload: expect.anything(), to: [] },
      { ...invitedOnly(true, false), to: SEE_PRIVATE },
      { kind: 'subscription/peers', payload: expect.anything(), to: [] },
      {
        kind: 'stream/delete',
        payload: { body: { streams: [{ stream_id: CHANNEL }], stream_ids: [CHANNEL] } },
        to: TO_GAIN,
      },
      // Administrators see the private channel, and do not read it.
      { kind: 'update_message_flags/lost', payload: {}, to: ['owner', 'administrator', ...TO_GAIN] },
    ]);
  });

  it('does not appear when only its history setting changes', async () => {
    const to = { inviteOnly: true, historyPublicToSubscribers: true };
    expect(await telling(PRIVATE, happens('ChannelPrivacyChanged', { from: PRIVATE, to }))).toEqual([
      { ...invitedOnly(true, true), to: SEE_PRIVATE },
    ]);
  });

  const someone = { direct_members: [idOf('member'), idOf('guest'), idOf('memberInside')], direct_subgroups: [] };

  it.each(['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const)(
    'appears with the permission %s, for a user who is neither subscribed nor a guest',
    async (setting) => {
      const kind = { ...PRIVATE, permissions: channelPermissions({ [setting]: NOBODY }) };
      const given = happens('ChannelPermissionChanged', { setting, from: NOBODY, to: someone });
      expect(await telling(kind, given)).toEqual([
        { kind: 'stream/create', payload: expect.anything(), to: ['member'] },
        { ...update(setting, someone), to: SEE_PRIVATE },
        { kind: 'subscription/peers', payload: expect.anything(), to: ['member'] },
        { kind: 'stream/delete', payload: expect.anything(), to: [] },
      ]);
      const taken = happens('ChannelPermissionChanged', { setting, from: someone, to: NOBODY });
      expect(await telling(kind, given, taken)).toEqual([
        { kind: 'stream/create', payload: expect.anything(), to: [] },
        { ...update(setting, NOBODY), to: SEE_PRIVATE },
        { kind: 'subscription/peers', payload: expect.anything(), to: [] },
        { kind: 'stream/delete', payload: expect.anything(), to: ['member'] },
      ]);
    },
  );

  it('appears for the members of a group that is given a permission', async () => {
    const group = (memberIds: number[]): InHistory => [
      'userGroups',
      {
        type: 'UserGroupCreated',
        data: {
          groupId: 9,
          name: 'g',
          description: '',
          creatorId: 1,
          memberIds,
          subgroupIds: [],
          permissions: {},
        },
      },
    ];
    const given = happens('ChannelPermissionChanged', { setting: 'can_subscribe_group', from: NOBODY, to: 9 });
    const [created] = await telling(PRIVATE, group([idOf('moderator')]), given);
    expect(created).toMatchObject({ kind: 'stream/create', to: ['moderator'] });
  });

  it('does not appear with a permission if it is public', async () => {
    const given = happens('ChannelPermissionChanged', { setting: 'can_subscribe_group', from: NOBODY, to: someone });
    expect(await telling(PUBLIC, given)).toEqual([{ ...update('can_subscribe_group', someone), to: SEE_PUBLIC }]);
  });

  it('disappears when it is archived, for clients without the capability archived_channels', async () => {
    const { kind, payload } = update('is_archived', true);
    const gone = { streams: [{ stream_id: CHANNEL }], stream_ids: [CHANNEL] };
    const without = { capability: 'archived_channels', instead: { kind: 'stream/delete', body: gone } };
    expect(await telling(PRIVATE, happens('ChannelArchived'))).toEqual([
      { kind, payload: { ...payload, without }, to: SEE_PRIVATE },
    ]);
  });

  it('appears with its subscribers when it is unarchived, for clients without the capability archived_channels', async () => {
    const toldBefore = 'archived_channels';
    const { kind, payload } = update('is_archived', false);
    expect(await telling(PUBLIC, happens('ChannelArchived'), happens('ChannelUnarchived'))).toEqual([
      {
        kind: 'stream/create',
        payload: { channel: expect.objectContaining({ isArchived: false }), toldBefore },
        to: SEE_PUBLIC,
      },
      {
        kind: 'subscription/add',
        payload: { channel: expect.anything(), toldBefore },
        to: ['memberInside', 'guestInside'],
      },
      { kind, payload: { ...payload, ...onlyForThoseWhoKnow }, to: SEE_PUBLIC },
      {
        kind: 'subscription/peers',
        payload: { channelId: CHANNEL, isArchived: false, toldBefore },
        to: ['owner', 'administrator', 'moderator', 'member'],
      },
    ]);
  });
});

describe('messages of a channel that was public for a while', () => {
  it('go to the subscribers, with the privacy that the channel had when they were sent', async () => {
    const sent: InHistory = [
      'messages',
      {
        type: 'MessageSent',
        data: {
          senderId: idOf('memberInside'),
          recipient: { type: 'channel', channelId: CHANNEL, topic: 't' },
          readBySender: true,
          localEcho: null,
          sendKey: null,
          content: { text: 'secret', rendered: 'secret', rendererVersion: 1 },
        },
      },
    ];
    const opened = happens('ChannelPrivacyChanged', { from: PRIVATE, to: PUBLIC });
    const closed = happens('ChannelPrivacyChanged', { from: PUBLIC, to: PRIVATE });
    const isPublicThen = async (...events: InHistory[]) => {
      const [message] = (await telling(PRIVATE, ...events)).filter(({ kind }) => kind === 'message');
      expect(message?.to).toEqual(['memberInside', 'guestInside']);
      return message?.payload;
    };
    expect(await isPublicThen(sent)).toMatchObject({ recipient: { isPublic: false } });
    expect(await isPublicThen(opened, sent)).toMatchObject({ recipient: { isPublic: true } });
    expect(await isPublicThen(opened, closed, sent)).toMatchObject({ recipient: { isPublic: false } });
    const { events } = await projected(clientEvents, history(...begun(PRIVATE), sent, opened, closed));
    expect(JSON.stringify(events)).not.toContain('secret');
  });
});
