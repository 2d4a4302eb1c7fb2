import type { TopicsPolicy } from '../../channels/domain/channels.settings.js';
import type { CommandContext } from '../../kernel/command-context.js';
import { refuse } from '../../kernel/domain-error.js';
import { ACTS, type Deed, type HabitFacts, policyAfter } from '../../personal/domain/topic-habits.settings.js';
import type { ContentFacts } from './content-facts.js';
import { type DirectMessageFacts, type DirectRecipient, requireOpenConversation } from './direct-message-rules.js';
import { contentOf, storedText } from './message-content.js';
import { type MessageSent, type Recipient } from './messages.events.js';
import { startsRead } from './starts-read.js';
import { requireTopicAllowed, topicNamed } from './topic-name.js';

/** As the caller names it: a channel by name or id, users by id or address. */
export type Addressee =
  | { readonly type: 'channel'; readonly channel: string | number; readonly topic: string | null }
  | { readonly type: 'direct'; readonly users: readonly (string | number)[] };

export class SendMessage {
  constructor(
    readonly message: {
      readonly to: Addressee;
      readonly content: string;
      readonly readBySender: boolean | null;
      readonly localEcho: { readonly queueId: string; readonly localId: string } | null;
      readonly idempotencyKey: string | null;
    },
    readonly senderId: number,
    readonly by: CommandContext,
  ) {}
}

/** What is known of others when the message is sent (D4). */
export interface SendMessageFacts {
  /** The channel addressed; null where there is none that the sender can see. */
  readonly channel: AddressedChannel | null;
  /** In the order addressed; null where there is no such account. */
  readonly users: readonly (AddressedUser | null)[];
  readonly direct: DirectMessageFacts;
  readonly content: ContentFacts;
  /** null where no send changes the topic to its sender. */
  readonly habits: HabitFacts | null;
}

export interface AddressedChannel {
  readonly id: number;
  readonly isArchived: boolean;
  readonly mayPost: boolean;
  /** The channel's own, or else the organisation's. */
  readonly topicsPolicy: Exclude<TopicsPolicy, 'inherit'>;
  /** The topic as it was first written; null where it begins with this message. */
  readonly topicAsBegun: string | null;
}

export interface AddressedUser extends DirectRecipient {
  readonly email: string;
  readonly isActive: boolean;
}

/** The rules of api.md, endpoint 1. There is no state to decide on: a send is a fact that is reported (D3). */
export function decideSendMessage({ message, senderId, by }: SendMessage, facts: SendMessageFacts): MessageSent {
  const recipient =
    message.to.type === 'channel' ? channelRecipient(message.to, facts) : directRecipient(message.to, senderId, facts);
  const text = storedText(message.content);
  if (text.trim() === '') refuse('MESSAGE_EMPTY');
  const { channel, habits } = facts;
  const senderPolicy = habits && policyAfter(deedOf(channel), habits);
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

/** What a message is to the habits of its sender. */
export const deedOf = (channel: AddressedChannel | null): Deed =>
  channel?.topicAsBegun === null ? ACTS.start : ACTS.send;

function channelRecipient(to: Extract<Addressee, { type: 'channel' }>, facts: SendMessageFacts): Recipient {
  const channel = facts.channel ?? refuse('STREAM_DOES_NOT_EXIST', channelNamed(to.channel));
  if (channel.isArchived) refuse('CHANNEL_ARCHIVED');
  if (!channel.mayPost) refuse('NOT_AUTHORIZED');
  if (to.topic === null) refuse('TOPIC_MISSING');
  const topic = topicNamed(to.topic);
  requireTopicAllowed(topic, channel.topicsPolicy);
  return { type: 'channel', channelId: channel.id, topic: channel.topicAsBegun ?? topic };
}

function directRecipient(
  to: Extract<Addressee, { type: 'direct' }>,
  senderId: number,
  facts: SendMessageFacts,
): Recipient {
  if (to.users.length === 0) refuse('RECIPIENT_MISSING');
  const recipients = to.users.map((named, index) => {
    const user = facts.users[index] ?? refuse(...userUnknown(named));
    if (!user.isActive) refuse('RECIPIENT_DEACTIVATED', { email: user.email });
    return user;
  });
  requireOpenConversation(senderId, recipients, facts.direct);
  const userIds = new Set([senderId, ...recipients.map(({ id }) => id)]);
  return { type: 'direct', userIds: [...userIds].sort((a, b) => a - b) };
}

const channelNamed = (channel: string | number): Record<string, unknown> =>
  typeof channel === 'string' ? { stream: channel } : { stream_id: channel };

const userUnknown = (user: string | number): [string, Record<string, unknown>] =>
  typeof user === 'string' ? ['INVALID_EMAIL', { email: user }] : ['INVALID_USER_ID', { userId: user }];
