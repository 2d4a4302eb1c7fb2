import { seersOf } from '../../src/directory/channel-visibility.js';
import type { MessageEvent, ReactionAdded, ReactionRemoved } from '../../src/events/messages/message.events.js';
import { type MessageSent, messageIdAt } from '../../src/events/messages/messages.events.js';
import type { DomainEvent, Recorded } from '../../src/platform/kernel/event.js';
import {
  type Change,
  type EventHandlers,
  type EventPrefetch,
  insert,
  type LookUp,
  type OwnDocuments,
} from '../../src/platform/read-models/projection.js';
import type { Reaction } from '../messages/message-events.js';
import { firstMessageUpdate } from './channels.js';
import { clientEvent, type ReaderEventKind } from './client-event.js';
import type { Audience } from './client-events.documents.js';
import { type ChannelPlace, originsLookedUp, originsOf, placeThen } from './places.js';
import { channelOf, type FeedChannel } from './records.js';
import { FILE_LINKS } from './uploads.js';
import { written } from './written.js';

/** Facts about a message. Content, names and flags are filled in when the client event is sent. */
interface MessagePayload {
  readonly messageId: number;
  readonly senderId: number;
  readonly readBySender: boolean;
  readonly recipient:
    | { readonly type: 'channel'; readonly channelId: number; readonly topic: string; readonly isPublic: boolean }
    | { readonly type: 'direct'; readonly userIds: readonly number[] };
  readonly localEcho: { readonly queueId: string; readonly localId: string } | null;
}

/** The place of the message that an event is about. */
type MessagePlace = ChannelPlace | { readonly type: 'direct'; readonly userIds: readonly number[] };

interface OfMessage {
  readonly messageId: number;
  readonly place: MessagePlace;
}

export const message = clientEvent<MessagePayload>()({ kind: 'message', rank: 1024, part: 'messages' });

/** An edit of the content. The content of `contentRevision` is filled in when the client event is sent. */
export const messageUpdate = clientEvent<
  OfMessage & {
    readonly editorId: number | null;
    readonly contentRevision: number;
    /** The same request moves the message next: one event tells both. */
    readonly moves?: true;
  }
>()({ kind: 'update_message', rank: 1024, part: 'messages' });

export const messageDelete = clientEvent<OfMessage>()({ kind: 'delete_message', rank: 1024, part: 'messages' });

export const reactionAdd = clientEvent<OfMessage & Reaction>()({ kind: 'reaction/add', rank: 1024, part: 'messages' });

export const reactionRemove = clientEvent<OfMessage & Reaction>()({
  kind: 'reaction/remove',
  rank: 1024,
  part: 'messages',
});

export const sentLookUps: EventPrefetch<MessageSent> = {
  MessageSent: ({ data: { recipient } }) => (recipient.type === 'channel' ? [['channels', recipient.channelId]] : []),
};

export const sentRules: EventHandlers<MessageSent> = {
  MessageSent: async (event, documents) => {
    const { senderId, readBySender, recipient, localEcho, calledBotIds } = event.data;
    const messageId = messageIdAt(event.revision);
    if (recipient.type === 'direct') {
      const { userIds } = recipient;
      const to = { type: 'direct' as const, userIds };
      const payload = { messageId, senderId, readBySender, recipient: to, localEcho };
      return written(event, documents, [message.of(event, { userIds }, payload)]);
    }
    const channel = await channelOf(recipient.channelId, documents);
    const { _id: channelId, name } = channel;
    const to = { type: 'channel' as const, channelId, topic: recipient.topic, isPublic: !channel.inviteOnly };
    const payload = { messageId, senderId, readBySender, recipient: to, localEcho };
    const readers = { subscribersOf: channelId, ...(calledBotIds && { userIds: calledBotIds }) };
    const sent = message.of(event, readers, payload);
    if (channel.firstMessageId !== null && channel.firstMessageId !== messageId)
      return written(event, documents, [sent]);
    const begun: FeedChannel = { ...channel, firstMessageId: messageId };
    const first = { stream_id: channelId, name, property: 'first_message_id', value: messageId } as const;
    const seers = { ...seersOf(channel), subscribersOf: channelId };
    return [
      insert('channels', begun),
      ...(await written(event, documents, [sent, firstMessageUpdate.of(event, seers, first)])),
    ];
  },
};

/** An event's place and audience. Readers without access to the message are left out when the client event is sent. */
interface Addressed {
  readonly place: MessagePlace;
  readonly audience: Audience;
}

async function addressed(event: Recorded<MessageEvent>, documents: OwnDocuments): Promise<Addressed> {
  const place = await placeThen(event, documents);
  if (place.type === 'direct') return { place, audience: { userIds: place.userIds } };
  const { channelId } = place;
  const { inviteOnly, historyPublicToSubscribers: isHistoryOpen } = await channelOf(channelId, documents);
  return {
    place: { ...place, isPublic: !inviteOnly, isHistoryOpen },
    audience: inviteOnly
      ? { subscribersOf: channelId }
      : { everSubscribedTo: [channelId, ...(await originsOf(place, documents))] },
  };
}

const reaction =
  <E extends ReactionAdded | ReactionRemoved>(kind: ReaderEventKind<OfMessage & Reaction, string>) =>
  async (event: Recorded<E>, documents: OwnDocuments): Promise<readonly Change[]> => {
    const { messageId, userId, emojiName, emojiCode, reactionType } = event.data;
    const { place, audience } = await addressed(event, documents);
    const payload = { messageId, place, userId, emojiName, emojiCode, reactionType };
    return written(event as Recorded<DomainEvent>, documents, [kind.of(event, audience, payload)]);
  };

export const messageRules: EventHandlers<MessageEvent> = {
  MessageEdited: async (event, documents) => {
    const { messageId, contentRevision, moves } = event.data;
    const { place, audience } = await addressed(event, documents);
    const editorId = event.metadata.actorId;
    const payload = { messageId, place, editorId, contentRevision, ...(moves && { moves }) };
    return written(event, documents, [messageUpdate.of(event, audience, payload)]);
  },
  MessageDeleted: async (event, documents) => {
    const { place, audience } = await addressed(event, documents);
    const payload = { messageId: event.data.messageId, place };
    return written(event, documents, [messageDelete.of(event, audience, payload)]);
  },
  ReactionAdded: reaction<ReactionAdded>(reactionAdd),
  ReactionRemoved: reaction<ReactionRemoved>(reactionRemove),
};

export const messageLookUps: EventPrefetch<MessageEvent> = {
  MessageEdited: placeLookedUp,
  MessageDeleted: (event) => [...placeLookedUp(event), [FILE_LINKS, event.data.messageId]],
  ReactionAdded: placeLookedUp,
  ReactionRemoved: placeLookedUp,
};

function placeLookedUp({ data: { place } }: Recorded<MessageEvent>): readonly LookUp[] {
  return place.type === 'channel' ? [['channels', place.channelId], originsLookedUp(place)] : [];
}
