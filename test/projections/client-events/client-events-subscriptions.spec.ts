import { describe, expect, it } from '@jest/globals';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { channelData } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const CREATOR = { direct_members: [1], direct_subgroups: [] };
const PUBLIC_SEERS = { roles: [ROLES.owner, ROLES.administrator, ROLES.moderator, ROLES.member], groups: [] };
const PRIVATE_SEERS = { roles: [ROLES.owner, ROLES.administrator], groups: [CREATOR] };
const ONLY_WITH_CAPABILITY = { capability: 'archived_channels', instead: null };

const organizationCreated: InHistory = ['organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }];
const userCreated = (userId: number): InHistory => [
  'users',
  {
    type: 'UserCreated',
    data: { userId, email: `u${userId}@example.com`, fullName: 'U', role: 400, passwordHash: null, channelIds: [] },
  },
];
const channelCreated = (channelId: number, inviteOnly = false): InHistory => [
  'channels',
  { type: 'ChannelCreated', data: channelData(channelId, { inviteOnly }) },
];
const archived = (channelId: number): InHistory => ['channels', { type: 'ChannelArchived', data: { channelId } }];
const subscribed = (channelId: number, userIds: number[]): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersSubscribed', data: { channelId, userIds } },
];
const unsubscribed = (channelId: number, userIds: number[]): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersUnsubscribed', data: { channelId, userIds } },
];
const chosen = (channelId: number, userId: number, setting: string, from: unknown, to: unknown): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'SubscriptionSettingChanged', data: { channelId, userId, setting, from, to } },
];
const ofUser = (type: 'UserDeactivated' | 'UserReactivated', userId: number): InHistory => [
  'users',
  { type, data: { userId, notice: null } },
];
const ofDefaults = (type: 'DefaultChannelAdded' | 'DefaultChannelRemoved', channelId: number): InHistory => [
  'organization',
  { type, data: { channelId } },
];

/** The client events of the last event. Each event is applied twice. */
async function toldOfLast(...entries: InHistory[]): Promise<readonly ClientEventDocument[]> {
  const { events = [] } = await projected(clientEvents, history(...entries));
  return (events as unknown as ClientEventDocument[]).filter(({ _id }) => Math.floor(_id / 4096) === entries.length);
}

const kinds = (events: readonly ClientEventDocument[]): string[] => events.map(({ kind }) => kind);

describe('client events of subscriptions', () => {
  it.each([
    ['public', false, PUBLIC_SEERS],
    ['private', true, PRIVATE_SEERS],
  ])('tell the users who see a %s channel of users who join or leave it', async (_, inviteOnly, seers) => {
    const joined = await toldOfLast(channelCreated(4, inviteOnly), subscribed(4, [2, 3]));
    expect(joined).toMatchObject([
      { kind: 'stream/create', audience: { userIds: [2, 3], except: seers } },
      { kind: 'subscription/add', audience: { userIds: [2, 3] }, payload: { channel: { _id: 4, inviteOnly } } },
      {
        kind: 'subscription/peer_add',
        audience: { ...seers, subscribersOf: 4, except: { userIds: [2, 3] } },
        payload: { channelIds: [4], userIds: [2, 3], isArchived: false },
      },
    ]);
    const left = await toldOfLast(channelCreated(4, inviteOnly), subscribed(4, [2, 3]), unsubscribed(4, [3]));
    expect(left).toMatchObject([
      {
        kind: 'subscription/remove',
        audience: { userIds: [3] },
        payload: { body: { subscriptions: [{ stream_id: 4, name: 'channel 4' }] } },
      },
      {
        kind: 'subscription/peer_remove',
        audience: { ...seers, subscribersOf: 4, except: { userIds: [3] } },
        payload: { channelIds: [4], userIds: [3], isArchived: false },
      },
      {
        kind: 'stream/delete',
        audience: { userIds: [3], except: seers },
        payload: { body: { streams: [{ stream_id: 4 }], stream_ids: [4] } },
      },
      { kind: 'update_message_flags/lost', audience: { userIds: [3] } },
    ]);
  });

  it('go only to clients with the capability archived_channels if the channel is archived', async () => {
    const before = [channelCreated(4), subscribed(4, [2]), archived(4)];
    const joined = await toldOfLast(...before, subscribed(4, [3]));
    expect(joined).toMatchObject([
      { kind: 'stream/create', payload: { channel: { isArchived: true } } },
      { kind: 'subscription/add', payload: { channel: { isArchived: true } } },
      { kind: 'subscription/peer_add', payload: { isArchived: true } },
    ]);
    const left = await toldOfLast(...before, unsubscribed(4, [2]));
    expect(left).toMatchObject([
      { kind: 'subscription/remove', payload: { without: ONLY_WITH_CAPABILITY } },
      { kind: 'subscription/peer_remove', payload: { isArchived: true } },
      { kind: 'stream/delete', payload: { without: ONLY_WITH_CAPABILITY } },
      { kind: 'update_message_flags/lost' },
    ]);
    const muted = await toldOfLast(...before, chosen(4, 2, 'is_muted', false, true));
    expect(muted).toMatchObject([
      { payload: { without: ONLY_WITH_CAPABILITY } },
      { payload: { without: ONLY_WITH_CAPABILITY } },
    ]);
  });

  it('have a changed subscription setting for its subscriber alone', async () => {
    const of = (setting: string, from: unknown, to: unknown) =>
      toldOfLast(channelCreated(4), subscribed(4, [2, 3]), chosen(4, 2, setting, from, to));
    const audience = { userIds: [2] };
    expect(await of('color', '#000000', '#ABC')).toMatchObject([
      { kind: 'subscription/update', audience, payload: { body: { stream_id: 4, property: 'color', value: '#ABC' } } },
    ]);
    expect(await of('is_muted', false, true)).toMatchObject([
      { audience, payload: { body: { stream_id: 4, property: 'in_home_view', value: false } } },
      { audience, payload: { body: { stream_id: 4, property: 'is_muted', value: true } } },
    ]);
    expect((await of('is_muted', false, true)).map(({ _id }) => _id % 4096)).toEqual([1024, 1025]);
  });

  it('precede the event of a deactivated account, and follow the event of a reactivated one', async () => {
    const before = [userCreated(1), userCreated(2), channelCreated(4), subscribed(4, [2])];
    const ended = await toldOfLast(...before, ofUser('UserDeactivated', 2));
    expect(ended[0]).toMatchObject({
      kind: 'subscription/gone',
      audience: { everyone: true },
      payload: { userId: 2 },
    });
    expect(kinds(ended)).toContain('realm_user/update');
    const begun = await toldOfLast(...before, ofUser('UserDeactivated', 2), ofUser('UserReactivated', 2));
    const [update, back] = ['realm_user/update', 'subscription/back'].map((kind) => kinds(begun).indexOf(kind));
    expect(back).toBeGreaterThan(update ?? Number.NaN);
  });
});

describe('client events of default channels', () => {
  it('have the whole list as of the event, for everybody except guests', async () => {
    const before = [
      organizationCreated,
      channelCreated(4),
      channelCreated(5),
      ofDefaults('DefaultChannelAdded', 5),
      ofDefaults('DefaultChannelAdded', 4),
    ];
    const audience = { roles: PUBLIC_SEERS.roles };
    expect(await toldOfLast(...before)).toMatchObject([
      { kind: 'default_streams', audience, payload: { body: { default_streams: [4, 5] } } },
    ]);
    expect(await toldOfLast(...before, ofDefaults('DefaultChannelRemoved', 4))).toMatchObject([
      { kind: 'default_streams', audience, payload: { body: { default_streams: [5] } } },
    ]);
  });
});
