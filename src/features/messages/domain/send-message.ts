import type { TopicsPolicy } from '../../../events/channels/channels.settings.js';
import type { MessageContent, MessageSent, Recipient } from '../../../events/messages/messages.events.js';
import { requireTopicAllowed, topicNamed } from '../../../events/messages/topic-name.js';
import {
  AUTO_FOLLOW_TRIGGERS,
  type AutoFollowTrigger,
  type AutoTopicFacts,
  policyAfter,
  type RaisedPolicy,
} from '../../../events/personal/auto-topic-policy.settings.js';
import { NOTIFICATION_BOT } from '../../../events/shared/system-bots.js';
import { BOT_TYPES } from '../../../events/users/users.settings.js';
import { Command, refuse } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { ContentFacts } from '../../markdown/content-facts.js';
import { type MentionedUser, newFollowersAmong } from '../../personal/domain/topic-policies.js';
import { type DirectMessageFacts, type DirectRecipient, requireOpenConversation } from './direct-message-rules.js';
import { contentOf, isEmptyText, storedText } from './message-content.js';

/** The recipient as the caller names it: a channel by name or id, users by id or address. */
export type Addressee =
  | { readonly type: 'channel'; readonly channel: string | number; readonly topic: string | null }
  | { readonly type: 'direct'; readonly users: readonly (string | number)[] };

export interface SendResult {
  readonly messageId: number;
  readonly position: Position;
  /** The sender's new policy for the topic; absent: unchanged. */
  readonly senderPolicy?: RaisedPolicy;
  /** Without `data` if an earlier request sent the message. */
  readonly event: Pick<MessageSent, 'type'> & Partial<Pick<MessageSent, 'data'>>;
}

export class SendMessage extends Command<
  {
    message: {
      readonly to: Addressee;
      readonly content: string;
      readonly readBySender: boolean | null;
      readonly localEcho: { readonly queueId: string; readonly localId: string } | null;
      readonly idempotencyKey: string | null;
      /** Milliseconds since 1970. A message that is not sent by then is refused. Absent: it is sent at any time. */
      readonly notAfter?: number;
    };
    senderId: number;
  },
  SendResult
> {}

/** The parts of a message that decide whether it may be sent. */
export interface UnsentMessage {
  readonly message: Pick<SendMessage['message'], 'to' | 'content' | 'notAfter'>;
  readonly senderId: number;
}

/** Facts from other streams that a message is written on (D4). */
export interface WritingFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The addressed channel; null if the sender sees no such channel. */
  readonly channel: AddressedChannel | null;
  /** In the order addressed; null for an unknown account. */
  readonly users: readonly (AddressedUser | null)[];
  readonly direct: DirectMessageFacts;
  readonly content: ContentFacts;
}

/** A message that may be sent. */
export interface WrittenMessage {
  readonly recipient: Recipient;
  readonly content: MessageContent;
}

/** What a send is decided on. The facts about people can be gathered only when it is known whom the message mentions. */
export interface SendMessageFacts {
  readonly written: WrittenMessage;
  readonly trigger: AutoFollowTrigger;
  /** null if the send cannot change the sender's policy for the topic. */
  readonly autoTopic: AutoTopicFacts | null;
  /** The users whom a message in a channel mentions by name. */
  readonly mentioned: readonly MentionedUser[];
}

interface AddressedChannel {
  readonly id: number;
  readonly isArchived: boolean;
  readonly mayPost: boolean;
  /** The channel's own policy, or the organization's if the channel inherits it. */
  readonly topicsPolicy: Exclude<TopicsPolicy, 'inherit'>;
  /** The spelling of the existing topic; null if the topic begins with this message. */
  readonly existingTopic: string | null;
}

export interface AddressedUser extends DirectRecipient {
  readonly email: string;
  readonly isActive: boolean;
}

/** Decides whether the message may be sent as it is, and renders it. Refuses by the rules of `POST /messages`. */
export function decideWriting({ message, senderId }: UnsentMessage, facts: WritingFacts): WrittenMessage {
  const { to, notAfter } = message;
  if (notAfter !== undefined && facts.now > notAfter) refuse('SENT_TOO_LATE');
  const recipient = to.type === 'channel' ? channelRecipient(to, facts) : directRecipient(to, senderId, facts);
  const text = storedText(message.content);
  if (isEmptyText(text)) refuse('MESSAGE_EMPTY');
  return { recipient, content: contentOf(text, facts.content) };
}

/** The event of a command whose message may be sent. Refuses nothing: a send is a fact that is reported (D3). */
export const messageSentBy = (
  { message, senderId, by }: SendMessage,
  { written, trigger, autoTopic, mentioned }: SendMessageFacts,
): MessageSent =>
  messageSent({
    senderId,
    ...written,
    readBySender: message.readBySender ?? startsRead(by.client),
    localEcho: message.localEcho,
    senderPolicy: autoTopic && policyAfter(trigger, autoTopic),
    mentioned,
  });

interface Sending extends WrittenMessage {
  readonly senderId: number;
  readonly readBySender?: boolean;
  readonly localEcho?: SendMessage['message']['localEcho'];
  /** null: unchanged. */
  readonly senderPolicy?: RaisedPolicy | null | undefined;
  /** The users whom a message in a channel mentions by name. */
  readonly mentioned?: readonly MentionedUser[];
}

/** The event of a message. */
export function messageSent({ senderId, recipient, content, mentioned = [], ...sending }: Sending): MessageSent {
  const { readBySender = true, localEcho = null, senderPolicy } = sending;
  const newFollowerIds = newFollowersAmong(mentioned);
  const calledBotIds = calledBotsAmong(mentioned, senderId);
  return {
    type: 'MessageSent',
    data: {
      senderId,
      recipient,
      readBySender,
      localEcho,
      sendKey: null,
      ...(senderPolicy && { senderPolicy }),
      ...(newFollowerIds.length > 0 && { newFollowerIds }),
      ...(calledBotIds.length > 0 && { calledBotIds }),
      content,
    },
  };
}

/** A direct message from an account of the server's own, which is unread for its reader. */
export const directNotice = (readerId: number, content: MessageContent, { id } = NOTIFICATION_BOT): MessageSent =>
  messageSent({ senderId: id, recipient: { type: 'direct', userIds: [readerId, id].sort((a, b) => a - b) }, content });

/** The trigger by which sending a message may set the sender's policy for its topic. */
export const triggerOf = (channel: AddressedChannel | null): AutoFollowTrigger =>
  channel?.existingTopic === null ? AUTO_FOLLOW_TRIGGERS.start : AUTO_FOLLOW_TRIGGERS.send;

function channelRecipient(to: Extract<Addressee, { type: 'channel' }>, facts: WritingFacts): Recipient {
  const channel = facts.channel ?? refuse('STREAM_DOES_NOT_EXIST', channelNamed(to.channel));
  if (channel.isArchived) refuse('CHANNEL_ARCHIVED');
  if (!channel.mayPost) refuse('NOT_AUTHORIZED');
  if (to.topic === null) refuse('TOPIC_MISSING');
  const topic = topicNamed(to.topic);
  requireTopicAllowed(topic, channel.topicsPolicy);
  return { type: 'channel', channelId: channel.id, topic: channel.existingTopic ?? topic };
}

function directRecipient(to: Extract<Addressee, { type: 'direct' }>, senderId: number, facts: WritingFacts): Recipient {
  if (to.users.length === 0) refuse('RECIPIENT_MISSING');
  const recipients = to.users.map((named, index) => {
    const user = facts.users[index] ?? refuseUnknown(named);
    if (!user.isActive) refuse('RECIPIENT_DEACTIVATED', { email: user.email });
    return user;
  });
  requireOpenConversation(senderId, recipients, facts.direct);
  const userIds = new Set([senderId, ...recipients.map(({ id }) => id)]);
  return { type: 'direct', userIds: [...userIds].sort((a, b) => a - b) };
}

const channelNamed = (channel: string | number): Record<string, unknown> =>
  typeof channel === 'string' ? { stream: channel } : { stream_id: channel };

const refuseUnknown = (user: string | number): never =>
  typeof user === 'string' ? refuse('INVALID_EMAIL', { email: user }) : refuse('INVALID_USER_ID', { userId: user });

/** The generic bots that get a message in a channel because it mentions them by name, and for no other reason. */
const calledBotsAmong = (mentioned: readonly MentionedUser[], senderId: number): readonly number[] =>
  mentioned.flatMap(({ id, isActive, botType, isSubscribed }) =>
    id !== senderId && isActive && botType === BOT_TYPES.generic && !isSubscribed ? [id] : [],
  );

/**
 * Client programs with a user interface. "Messages start unread, except messages the user sent from a non-API client."
 */
const NON_API_CLIENTS = new Set([
  'website',
  'ios',
  'android',
  'zulipmobile',
  'zulipelectron',
  'zulipdesktop',
  'zulipandroid',
  'zulipios',
  'zulipterminal',
  'zulipflutter',
  'snipe',
]);

export function startsRead(client: string): boolean {
  const name = client.toLowerCase();
  return NON_API_CLIENTS.has(name) || name.includes('desktop app');
}
