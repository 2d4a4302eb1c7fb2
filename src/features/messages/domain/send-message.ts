import type { TopicsPolicy } from '../../../events/channels/channels.settings.js';
import { type MessageSent, type Recipient } from '../../../events/messages/messages.events.js';
import { requireTopicAllowed, topicNamed } from '../../../events/messages/topic-name.js';
import {
  AUTO_FOLLOW_TRIGGERS,
  type AutoFollowTrigger,
  type AutoTopicFacts,
  policyAfter,
  type RaisedPolicy,
} from '../../../events/personal/auto-topic-policy.settings.js';
import { Command, refuse } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { ContentFacts } from '../../markdown/content-facts.js';
import { type DirectMessageFacts, type DirectRecipient, requireOpenConversation } from './direct-message-rules.js';
import { contentOf, storedText } from './message-content.js';
import { startsRead } from './starts-read.js';

/** The recipient as the caller names it: a channel by name or id, users by id or address. */
export type Addressee =
  | { readonly type: 'channel'; readonly channel: string | number; readonly topic: string | null }
  | { readonly type: 'direct'; readonly users: readonly (string | number)[] };

export interface Sent {
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
    };
    senderId: number;
  },
  Sent
> {}

/** Facts from other streams that a send is decided on (D4). */
export interface SendMessageFacts {
  /** The addressed channel; null if the sender sees no such channel. */
  readonly channel: AddressedChannel | null;
  /** In the order addressed; null for an unknown account. */
  readonly users: readonly (AddressedUser | null)[];
  readonly direct: DirectMessageFacts;
  readonly content: ContentFacts;
  /** null if the send cannot change the sender's policy for the topic. */
  readonly autoTopic: AutoTopicFacts | null;
}

export interface AddressedChannel {
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

/** The rules of `POST /messages`. There is no state to decide on: a send is a fact that is reported (D3). */
export function decideSendMessage({ message, senderId, by }: SendMessage, facts: SendMessageFacts): MessageSent {
  const recipient =
    message.to.type === 'channel' ? channelRecipient(message.to, facts) : directRecipient(message.to, senderId, facts);
  const text = storedText(message.content);
  if (text.trim() === '') refuse('MESSAGE_EMPTY');
  const { channel, autoTopic } = facts;
  const senderPolicy = autoTopic && policyAfter(triggerOf(channel), autoTopic);
  return {
    type: 'MessageSent',
    data: {
      senderId,
      recipient,
      readBySender: message.readBySender ?? startsRead(by.client),
      localEcho: message.localEcho,
      sendKey: null,
      ...(senderPolicy && { senderPolicy }),
      content: contentOf(text, facts.content),
    },
  };
}

/** The trigger by which sending a message may set the sender's policy for its topic. */
export const triggerOf = (channel: AddressedChannel | null): AutoFollowTrigger =>
  channel?.existingTopic === null ? AUTO_FOLLOW_TRIGGERS.start : AUTO_FOLLOW_TRIGGERS.send;

function channelRecipient(to: Extract<Addressee, { type: 'channel' }>, facts: SendMessageFacts): Recipient {
  const channel = facts.channel ?? refuse('STREAM_DOES_NOT_EXIST', channelNamed(to.channel));
  if (channel.isArchived) refuse('CHANNEL_ARCHIVED');
  if (!channel.mayPost) refuse('NOT_AUTHORIZED');
  if (to.topic === null) refuse('TOPIC_MISSING');
  const topic = topicNamed(to.topic);
  requireTopicAllowed(topic, channel.topicsPolicy);
  return { type: 'channel', channelId: channel.id, topic: channel.existingTopic ?? topic };
}

function directRecipient(
  to: Extract<Addressee, { type: 'direct' }>,
  senderId: number,
  facts: SendMessageFacts,
): Recipient {
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
