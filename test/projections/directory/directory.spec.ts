import { describe, expect, it } from '@jest/globals';
import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import { isDirectoryEvent } from '../../../src/directory/directory.changes.js';
import { Directory } from '../../../src/directory/directory.js';
import type { DirectoryKind, RecordChange } from '../../../src/directory/directory.records.js';
import { ROLES } from '../../../src/events/shared/role.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { channelData } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const organizationCreated: InHistory = ['organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }];

const userCreated = (userId: number, email: string): InHistory => [
  'users',
  {
    type: 'UserCreated',
    data: { userId, email, fullName: `User ${userId}`, role: ROLES.member, passwordHash: null, channelIds: [] },
  },
];

const keyIssued = (userId: number, keyHash: string): InHistory => [
  'users',
  { type: 'ApiKeyIssued', data: { userId, keyHash } },
];

const deactivated = (userId: number): InHistory => ['users', { type: 'UserDeactivated', data: { userId } }];

const channelCreated = (channelId: number, name: string): InHistory => [
  'channels',
  {
    type: 'ChannelCreated',
    data: channelData(channelId, { name, subscriberIds: [] }),
  },
];

const subscribed = (channelId: number, ...userIds: number[]): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersSubscribed', data: { channelId, userIds } },
];

const unsubscribed = (channelId: number, ...userIds: number[]): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersUnsubscribed', data: { channelId, userIds } },
];

const everything = history(
  organizationCreated,
  userCreated(1, 'Ada@example.org'),
  keyIssued(1, 'aa'),
  userCreated(2, 'grace@example.org'),
  keyIssued(2, 'bb'),
  keyIssued(2, 'cc'),
  channelCreated(1, 'General'),
  subscribed(1, 1, 2),
  unsubscribed(1, 2),
  deactivated(2),
  subscribed(1, 2),
);

describe('the directory projection', () => {
  it('keeps the organization', async () => {
    const { organization } = await projected(directoryProjection, history(organizationCreated));
    expect(organization).toEqual([
      {
        _id: 'organization',
        settings: { name: 'Annals' },
        defaultChannelIds: [],
        profileFields: [],
        linkifiers: [],
        playgrounds: [],
        createdAt: 1_700_000_001_000,
        position: 1,
      },
    ]);
  });

  it('adds each issued key to its account, which keeps its keys when it is deactivated', async () => {
    const { users } = await projected(directoryProjection, everything);
    expect(users).toMatchObject([
      { _id: 1, emailKey: 'ada@example.org', isActive: true, apiKeys: [{ hash: 'aa' }], position: 3 },
      { _id: 2, isActive: false, apiKeys: [{ hash: 'bb' }, { hash: 'cc' }], position: 10 },
    ]);
    const before = await projected(directoryProjection, everything.slice(0, 9));
    expect(before.users?.[1]).toMatchObject({ isActive: true, apiKeys: [{ hash: 'bb' }, { hash: 'cc' }], position: 6 });
  });

  it('keeps channels with the key that their names are looked up by', async () => {
    const { channels } = await projected(directoryProjection, everything);
    expect(channels).toMatchObject([{ _id: 1, name: 'General', nameKey: 'general', position: 7 }]);
  });

  it('keeps each subscription as intervals of positions', async () => {
    const { subscriptions } = await projected(directoryProjection, everything);
    expect(subscriptions).toMatchObject([
      { _id: '1/1', intervals: [{ from: 8, to: null }] },
      {
        _id: '1/2',
        intervals: [
          { from: 8, to: 9 },
          { from: 11, to: null },
        ],
      },
    ]);
  });

  it('loads a directory that equals one that applied the events in memory', async () => {
    for (let length = 0; length <= everything.length; length++) {
      const events = everything.slice(0, length);
      expect(told(await fromDocuments(events))).toEqual(told(fromEvents(events)));
    }
  });
});

function fromEvents(events: readonly Recorded[]): Directory {
  const directory = new Directory();
  for (const event of events) if (isDirectoryEvent(event)) directory.apply(event);
  return directory;
}

async function fromDocuments(events: readonly Recorded[]): Promise<Directory> {
  const directory = new Directory();
  for (const [kind, records] of Object.entries(await projected(directoryProjection, events))) {
    for (const record of records) directory.put({ kind: kind as DirectoryKind, record } as unknown as RecordChange);
  }
  return directory;
}

/** The answers of a directory. */
const told = (directory: Directory): object => ({
  organization: directory.organization,
  users: directory.allUsers(),
  channels: directory.allChannels(),
  keys: ['aa', 'bb', 'cc'].map((hash) => directory.userByKeyHash(hash)?._id),
  byEmail: directory.userByEmail('ADA@EXAMPLE.ORG')?._id,
  subscribers: directory.subscriberIds(1),
  channelsOf2: directory.subscribedChannelIds(2),
  was: [7, 9, 10, 12].map((position) => directory.wasSubscribed(2, 1, position)),
});
