import { describe, expect, it } from '@jest/globals';
import { consequences } from '../../src/app/features.js';
import { apiKeyId } from '../../src/events/users/users.events.js';
import { appendedBy, type Happened, type Said } from '../support/events/handled-history.js';

const by = { actorId: 5, client: 'test', correlationId: 'c' };
const [NONE, FOLLOWED] = [0, 3];

const created: Said = ['organization', 'OrganizationCreated', { name: 'Annals' }];
const user: Said = ['users', 'UserCreated', { userId: 5, email: 'a@example.com', fullName: 'A', channelIds: [1] }];
const sent: Said = [
  'messages',
  'MessageSent',
  {
    senderId: 5,
    recipient: { type: 'channel', channelId: 1, topic: 'tea' },
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content: null,
    senderPolicy: FOLLOWED,
    newFollowerIds: [6],
  },
];
const policySet = (userId: number, topic: string, from: number, to: number): Said => [
  `user-${userId}`,
  'TopicPolicySet',
  { userId, channelId: 1, topic, from, to },
];
const archived: Said = ['channels', 'ChannelArchived', { channelId: 1 }];
const unarchived: Said = ['channels', 'ChannelUnarchived', { channelId: 1 }];
const subscribed: Said = ['subscriptions-1', 'UsersSubscribed', { channelId: 1, userIds: [5] }];
const left: Said = ['subscriptions-1', 'UsersUnsubscribed', { channelId: 1, userIds: [5] }];
const byDefault: Said = ['organization', 'DefaultChannelAdded', { channelId: 1 }];
const terms = { role: 400, channelIds: [], groupIds: [9], withDefaultChannels: false };
const invited: Said = [
  'invitations',
  'InvitationSent',
  {
    invitationId: 1,
    inviterId: 5,
    keyId: 'k',
    tokenHash: 't',
    expiresAt: null,
    terms,
    notifiesInviter: true,
    invitee: { email: 'b@example.com', welcomeText: 'Hi' },
  },
];
const acceptedBy = (fullName: string | null): Said => [
  'invitations',
  'InvitationAccepted',
  {
    invitationId: 1,
    inviterId: 5,
    notifiesInviter: true,
    account: { role: 400, channelIds: [], groupIds: [9] },
    applicant: fullName && { email: 'b@example.com', fullName, passwordHash: 'p', welcomeText: 'Hi' },
  },
];
const group: Said = [
  'userGroups',
  'UserGroupCreated',
  { groupId: 9, name: 'crew', description: '', permissions: {}, memberIds: [], subgroupIds: [] },
];
const deactivated: Said = ['users', 'UserDeactivated', { userId: 5, notice: null }];
const reactivated: Said = ['users', 'UserReactivated', { userId: 5 }];
const issued: Said = ['users', 'ApiKeyIssued', { userId: 5, keyHash: 'hash' }];
const endedKey: Said = ['users', 'ApiKeysEnded', { userId: 5, keyHashes: ['hash'] }];
const tokenAdded: Said = [
  'user-5',
  'PushTokenAdded',
  { userId: 5, kind: 'fcm', keyId: 't', token: null, apiKeyId: apiKeyId('hash') },
];
const deviceRegistered: Said = [
  'user-5',
  'PushDeviceRegistered',
  { userId: 5, pushAccountId: '1', kind: 'fcm', keyId: 'd', registration: null, apiKeyId: apiKeyId('hash') },
];
const newPassword: Said = ['users', 'PasswordChanged', { userId: 5, passwordHash: 'p' }];
const announcedIn: Said = [
  'organization',
  'RealmSettingChanged',
  { setting: 'new_stream_announcements_stream_id', from: -1, to: 1 },
];

/** @returns the events that process managers append if they handle this history for the first time */
const appendedAfter = async (...history: readonly Said[]): Promise<string[]> => {
  const appended = await appendedBy(handleAll, history, by);
  const handling = consequences.filter(({ on }) => history.some(([, type]) => type === on));
  const declared = handling.flatMap(({ appends }) => appends);
  expect(declared).toEqual(expect.arrayContaining(appended.map(({ type }) => type)));
  return appended.map(({ stream, type }) => `${stream} ${type}`);
};

async function handleAll({ events, runner, readModels, signal }: Happened): Promise<void> {
  for (const event of events)
    for (const manager of consequences)
      if (manager.on === event.type && manager.name !== 'left-behind')
        await manager.react(event, runner, readModels, signal);
}

describe('an old event that is handled again after the checkpoint was lost', () => {
  it('takes effect when nothing has changed since', async () => {
    expect(await appendedAfter(created, user, byDefault, announcedIn, sent, archived)).toEqual([
      'subscriptions-1 UsersSubscribed',
      'user-5 TopicPolicySet',
      'user-6 TopicPolicySet',
      'organization DefaultChannelRemoved',
      'organization RealmSettingChanged',
    ]);
  });

  it('changes no policy of a topic that its reader has changed since', async () => {
    // Two sends at once begin the topic. The first one set the policy, and its user has taken it back.
    const taken = [policySet(5, 'Tea', NONE, FOLLOWED), policySet(5, 'tea', FOLLOWED, NONE)];
    const theirs = [policySet(6, 'tea', NONE, FOLLOWED), policySet(6, 'tea', FOLLOWED, NONE)];
    expect(await appendedAfter(sent, sent, ...taken, ...theirs)).toEqual([]);
    expect(await appendedAfter(sent, policySet(5, 'milk', NONE, FOLLOWED), ...theirs)).toEqual([
      'user-5 TopicPolicySet',
    ]);
  });

  it('withdraws no channel that has been made a default, or named by a setting, since', async () => {
    expect(await appendedAfter(created, archived, unarchived, byDefault, announcedIn)).toEqual([]);
  });

  it('subscribes no user who has left since', async () => {
    expect(await appendedAfter(user, subscribed, left)).toEqual([]);
  });

  it('makes the account of an accepted invitation with all that follows, unless that is done', async () => {
    expect(await appendedAfter(created, user, group, invited, acceptedBy('Ann'))).toEqual([
      'subscriptions-1 UsersSubscribed',
      'users UserCreated',
      'userGroups UserGroupMembersAdded',
      'messages MessageSent',
      'messages MessageSent',
      'invitations InvitationCompleted',
    ]);
    expect(await appendedAfter(created, user, subscribed, group, invited, acceptedBy(null))).toEqual([]);
  });

  it('withdraws the devices of a login that has ended, also those that were stored just after', async () => {
    const added = [tokenAdded, deviceRegistered];
    const withdrawn = ['user-5 PushTokenRemoved', 'user-5 PushDeviceFailed'];
    const known = [user, subscribed, issued];
    expect(await appendedAfter(...known, ...added)).toEqual([]);
    for (const cause of [endedKey, deactivated]) {
      expect(await appendedAfter(...known, ...added, cause)).toEqual(withdrawn);
      expect(await appendedAfter(...known, cause, ...added)).toEqual(withdrawn);
    }
    expect(await appendedAfter(...known, ...added, newPassword)).toEqual(withdrawn);
    expect(await appendedAfter(...known, newPassword, ...added)).toEqual([]);
  });

  it('ends no invitation that was made after its inviter came back', async () => {
    expect(await appendedAfter(user, subscribed, invited, deactivated)).toEqual(['invitations InvitationRevoked']);
    expect(await appendedAfter(user, subscribed, deactivated, reactivated, invited)).toEqual([]);
  });

  it('ends an invitation that was stored just after its inviter was deactivated', async () => {
    const late = await appendedAfter(user, subscribed, deactivated, invited);
    expect(late).toEqual(['invitations InvitationRevoked']);
  });
});
