import { describe, expect, it } from '@jest/globals';
import { CommandRunner } from '../../src/command-runner/command-runner.js';
import { SqliteContentKeys } from '../../src/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../src/document-store/sqlite/sqlite-document-store.js';
import { EventCodec } from '../../src/event-codec/event-codec.js';
import { SqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.js';
import { newEventId } from '../../src/kernel/new-event-id.js';
import { START } from '../../src/kernel/position.js';
import { processManagers } from '../../src/process-managers/all-process-managers.js';
import { AppliedByHand } from '../support/applied-by-hand.js';
import { withScratch } from '../support/scratch.js';

const by = { actorId: 5, client: 'test', correlationId: 'c' };
const [NONE, FOLLOWED] = [0, 3];

type Said = readonly [stream: string, type: string, data: object];

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
const announcedIn: Said = [
  'organization',
  'RealmSettingChanged',
  { setting: 'new_stream_announcements_stream_id', from: -1, to: 1 },
];

/** @returns what process managers append when all of this is handled by one that has handled none of it */
const appendedAfter = async (...history: readonly Said[]): Promise<string[]> => {
  const types: string[] = [];
  await withScratch(async (folder) => {
    const [eventStore, documentStore] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
    const keys = await SqliteContentKeys.open(folder);
    const codec = new EventCodec(keys);
    const runner = new CommandRunner(eventStore, keys, codec);
    const readModels = new AppliedByHand(documentStore);
    const signal = new AbortController().signal;
    try {
      for (const [stream, type, data] of history) {
        const id = newEventId();
        const sealing = type === 'MessageSent' ? await runner.sealingKey(id) : undefined;
        await runner.report(stream, { type, data } as never, by, { id, ...(sealing && { sealing }) });
      }
      const { events, position } = await eventStore.readAll({ after: START, limit: 100 });
      for (const event of await codec.decode(events))
        for (const manager of processManagers)
          if (manager.on === event.type && manager.name !== 'left-behind')
            await manager.react(event, runner, readModels, signal);
      const appended = await eventStore.readAll({ after: position, limit: 100 });
      types.push(...appended.events.map(({ stream, type }) => `${stream} ${type}`));
    } finally {
      await Promise.all([keys.close(), documentStore.close(), eventStore.close()]);
    }
  });
  return types;
};

describe('what was handled long ago, and is handled again after the checkpoint was lost', () => {
  it('is carried out where nothing has been said since', async () => {
    expect(await appendedAfter(created, user, byDefault, announcedIn, sent, archived)).toEqual([
      'subscriptions-1 UsersSubscribed',
      'user-5 TopicPolicySet',
      'user-6 TopicPolicySet',
      'organization DefaultChannelRemoved',
      'organization RealmSettingChanged',
    ]);
  });

  it('changes no topic that its readers have said something of since', async () => {
    // Two sends at once begin the topic; it is the first one's doing, and is taken back.
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

  it('subscribes nobody who has left since', async () => {
    expect(await appendedAfter(user, subscribed, left)).toEqual([]);
  });
});
