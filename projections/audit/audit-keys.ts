import type { ConcernedTopic } from '../../src/platform/kernel/concerned.js';
import { foldCase } from '../../src/platform/kernel/text.js';

// What an event may concern, each as one text: one index answers the questions about all of them.

export const userKey = (userId: number): string => `u${userId}`;

export const channelKey = (channelId: number): string => `c${channelId}`;

/** Topics that differ only in case are one. */
export const topicKey = ({ channelId, topic }: ConcernedTopic): string => `t${channelId}/${foldCase(topic)}`;

export const messageKey = (messageId: number): string => `m${messageId}`;

/** Readings of a message's words by auditors: they are apart from what happened to the message. */
export const readingKey = (messageId: number): string => `r${messageId}`;
