import type { ChannelCreated } from '../src/channels/domain/channels.events.js';
import { rolesThatSee } from '../src/directory/channel-sight.js';
import { directoryChanges } from '../src/directory/directory.changes.js';
import type { Recorded } from '../src/kernel/event.js';
import { type MessageSent, messageIdAt } from '../src/messages/domain/messages.events.js';
import type { UsersSubscribed, UsersUnsubscribed } from '../src/subscriptions/domain/subscriptions.events.js';
import type { UserCreated, UserDeactivated } from '../src/users/domain/users.events.js';
import {
  type Audience,
  type ChannelPayload,
  type ClientEventDocument,
  type ClientEventKind,
  type ClientEventOf,
  clientEventId,
  type FeedChannel,
  type StatePart,
} from './client-events.documents.js';
import { trim } from './client-events.retention.js';
import { type Change, insert, type OwnDocuments, projection } from './projection.js';

type Source = MessageSent | UserCreated | UserDeactivated | ChannelCreated | UsersSubscribed | UsersUnsubscribed;

/**
 * Ranks under a domain event, in the order in which clients get them. Literals: a version that emits one more kind puts
 * it between, and every id that a client holds stays what it was (D10).
 */
const RANK = {
  message: 1024,
  'realm_user/add': 1024,
  'realm_user/update': 1024,
  'stream/create': 512,
  'subscription/add': 1024,
  'subscription/peer_add': 2048,
  'subscription/remove': 1024,
  'subscription/peer_remove': 2048,
  'stream/update': 2048,
  'stream/delete': 3072,
} as const satisfies Record<ClientEventKind, number>;

/**
 * The client-event feed (D10): what each domain event is to clients, in log order, for 30 days. Holds no words of
 * messages. Keeps its own copy of the channels, so that an event tells what was so when it happened, whenever it is read.
 */
export const clientEvents = projection<Source>({
  name: 'client-events',
  version: 2,
  collections: { events: {}, channels: {}, hours: {}, retention: {} },
  on: {
    MessageSent: async (event, documents) => {
      const { senderId, recipient, localEcho } = event.data;
      const messageId = messageIdAt(event.revision);
      if (recipient.type === 'direct') {
        const { userIds } = recipient;
        const payload = { messageId, senderId, recipient: { type: 'direct' as const, userIds }, localEcho };
        return told(event, documents, [entry(event, 'message', 'messages', { userIds }, payload)]);
      }
      const channel = await channelOf(recipient.channelId, documents);
      const { _id: channelId, name } = channel;
      const to = { type: 'channel' as const, channelId, topic: recipient.topic, isPublic: !channel.inviteOnly };
      const payload = { messageId, senderId, recipient: to, localEcho };
      const sent = entry(event, 'message', 'messages', { subscribersOf: channelId }, payload);
      if (channel.firstMessageId !== null && channel.firstMessageId !== messageId)
        return told(event, documents, [sent]);
      const begun: FeedChannel = { ...channel, firstMessageId: messageId };
      const seers = { roles: rolesThatSee(channel), subscribersOf: channelId };
      const first = { channelId, name, property: 'first_message_id' as const, value: messageId };
      return [
        insert('channels', begun),
        ...(await told(event, documents, [sent, entry(event, 'stream/update', 'messages', seers, first)])),
      ];
    },

    UserCreated: (event, documents) => {
      const { userId, email, fullName, role } = event.data;
      const payload = { userId, email, fullName, role };
      return told(event, documents, [entry(event, 'realm_user/add', 'organization', { everyone: true }, payload)]);
    },

    UserDeactivated: (event, documents) => {
      const payload = { userId: event.data.userId, isActive: false };
      return told(event, documents, [entry(event, 'realm_user/update', 'organization', { everyone: true }, payload)]);
    },

    ChannelCreated: async (event, documents) => {
      const created = await channelCreated(event, documents);
      const audience = { roles: rolesThatSee(created) };
      const payload = { channel: payloadOf(created) };
      return [
        insert('channels', created),
        ...(await told(event, documents, [entry(event, 'stream/create', 'organization', audience, payload)])),
      ];
    },

    UsersSubscribed: async (event, documents) => {
      const { channelId, userIds } = event.data;
      const channel = await channelOf(channelId, documents);
      const roles = rolesThatSee(channel);
      const payload = { channel: payloadOf(channel) };
      const gainSight = { userIds, exceptRoles: roles };
      const peers = { roles, subscribersOf: channelId, exceptUserIds: userIds };
      return told(event, documents, [
        entry(event, 'stream/create', 'organization', gainSight, payload),
        entry(event, 'subscription/add', 'organization', { userIds }, payload),
        entry(event, 'subscription/peer_add', 'organization', peers, { channelId, userIds }),
      ]);
    },

    UsersUnsubscribed: async (event, documents) => {
      const { channelId, userIds } = event.data;
      const channel = await channelOf(channelId, documents);
      const roles = rolesThatSee(channel);
      const peers = { roles, subscribersOf: channelId, exceptUserIds: userIds };
      const loseSight = { userIds, exceptRoles: roles };
      return told(event, documents, [
        entry(event, 'subscription/remove', 'organization', { userIds }, { channelId, name: channel.name }),
        entry(event, 'subscription/peer_remove', 'organization', peers, { channelId, userIds }),
        entry(event, 'stream/delete', 'organization', loseSight, { channelId }),
      ]);
    },
  },
});

function entry<Kind extends ClientEventKind>(
  event: Recorded,
  kind: Kind,
  part: StatePart,
  audience: Audience,
  payload: ClientEventOf<Kind>['payload'],
): ClientEventOf<Kind> {
  const _id = clientEventId(event.position, RANK[kind]);
  return { _id, kind, part, audience, at: event.metadata.at, payload };
}

async function told(
  event: Recorded,
  documents: OwnDocuments,
  entries: readonly ClientEventDocument[],
): Promise<readonly Change[]> {
  return [...entries.map((document) => insert('events', document)), ...(await trim(event, documents))];
}

/** By the same rule as everywhere (D8), over this projection's copies. */
async function channelCreated(event: Recorded<ChannelCreated>, documents: OwnDocuments): Promise<FeedChannel> {
  const before = await documents.collection<FeedChannel>('channels').findOne({ _id: event.data.channelId });
  if (before) return before;
  for (const { kind, record } of directoryChanges(event, () => undefined))
    if (kind === 'channels') return { ...record, firstMessageId: null };
  throw new Error('a channel was created without a record');
}

async function channelOf(channelId: number, documents: OwnDocuments): Promise<FeedChannel> {
  const channel = await documents.collection<FeedChannel>('channels').findOne({ _id: channelId });
  if (!channel) throw new Error(`channel ${channelId} has events before its creation`);
  return channel;
}

function payloadOf({ nameKey: _key, position: _position, ...facts }: FeedChannel): ChannelPayload {
  return facts;
}
