import type { Mentions, MessageContent, Recipient } from '../src/messages/domain/messages.events.js';

/** What a message's document says of its words as they are now; all of it follows from what the event holds. */
export interface WordsFields {
  /** What is written there, and its HTML; null once the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
  /** Whom they call; absent where that is nobody. */
  readonly mentions?: Mentions;
  /** The same as an index has it: a reader finds what calls them by the few names that they go by. */
  readonly callees?: readonly string[];
}

/** Names in `callees`. */
export const calleeOf = {
  user: (userId: number): string => `u${userId}`,
  group: (groupId: number): string => `g${groupId}`,
  /** As one of many: of a conversation, or of a topic. */
  participant: (userId: number): string => `p${userId}`,
  /** Whoever was subscribed to it when the message was sent. */
  channel: (channelId: number): string => `c${channelId}`,
};

/**
 * The same for words that were sent and for words that took the place of others.
 * @param sentTo where the message was when it was sent
 */
export function wordsFields(content: MessageContent | null, sentTo: Recipient): WordsFields {
  const { text = null, rendered = null, mentions } = content ?? {};
  return { text, rendered, ...(mentions && { mentions, callees: calleesOf(mentions, sentTo) }) };
}

/** A document with other words: nothing that told of the former ones is left. */
export function withWords<D extends WordsFields>(
  document: D,
  words: WordsFields,
): Omit<D, keyof WordsFields> & WordsFields {
  const { text, rendered, mentions, callees, ...rest } = document;
  return { ...rest, ...words };
}

function calleesOf(
  { userIds = [], groupIds = [], wildcards = [], participantIds = [] }: Mentions,
  sentTo: Recipient,
): string[] {
  const everybody = wildcards.includes('stream')
    ? sentTo.type === 'channel'
      ? [calleeOf.channel(sentTo.channelId)]
      : sentTo.userIds.map(calleeOf.participant)
    : [];
  const participants = participantIds.map(calleeOf.participant);
  return [...userIds.map(calleeOf.user), ...groupIds.map(calleeOf.group), ...everybody, ...participants];
}
