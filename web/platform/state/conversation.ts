import type { Message } from '../client-events.js';

/** Where messages are: a topic of a channel, or a direct conversation with others; nobody else is in one's own. */
export type Conversation =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] };

export const topic = (channelId: number, name: string): Conversation => ({ kind: 'topic', channelId, topic: name });

/** @param userIds with or without one's own */
export const direct = (userIds: readonly number[], myId: number): Conversation => ({
  kind: 'direct',
  userIds: [...new Set(userIds)].filter((id) => id !== myId).sort((a, b) => a - b),
});

/** Equal for equal conversations. The case of a topic does not count. */
export const keyOf = (conversation: Conversation): string =>
  conversation.kind === 'topic'
    ? `${conversation.channelId} ${conversation.topic.toLowerCase()}`
    : `with ${conversation.userIds.join()}`;

/** Where a message goes, as the API is told. */
export const addressOf = (conversation: Conversation, myId: number) =>
  conversation.kind === 'topic'
    ? { type: 'channel', to: conversation.channelId, topic: conversation.topic }
    : { type: 'direct', to: addresseesOf(conversation.userIds, myId) };

/** Whom a direct message goes to: what one writes to nobody else, one writes to oneself. */
export function addresseesOf(userIds: readonly number[], myId: number): readonly number[] {
  const others = userIds.filter((id) => id !== myId);
  return others.length === 0 ? [myId] : others;
}

export function conversationOf(message: Omit<Message, 'flags'>, myId: number): Conversation {
  if (typeof message.display_recipient === 'string') return topic(message.stream_id ?? 0, message.subject);
  return direct(
    message.display_recipient.map(({ id }) => id),
    myId,
  );
}
