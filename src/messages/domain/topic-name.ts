import type { TopicsPolicy } from '../../channels/domain/channels.settings.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { longerThan } from './longer-than.js';

/** In Unicode code points; the register response tells it to clients. */
export const MAX_TOPIC_LENGTH = 60;

/** What clients show for the empty topic (`realm_empty_topic_display_name`). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

/** What the name of a resolved topic begins with. */
export const RESOLVED_PREFIX = '✔ ';

/** Read as the empty topic (api.md, endpoint 1). */
const NAMES_OF_THE_EMPTY_TOPIC: readonly string[] = ['(no topic)', EMPTY_TOPIC_DISPLAY_NAME];

/** The topic that somebody names. @throws DomainError TOPIC_TOO_LONG, TOPIC_INVALID */
export function topicNamed(words: string): string {
  const trimmed = words.trim();
  const topic = NAMES_OF_THE_EMPTY_TOPIC.includes(trimmed) ? '' : trimmed;
  if (longerThan(topic, MAX_TOPIC_LENGTH)) refuse('TOPIC_TOO_LONG', { limit: MAX_TOPIC_LENGTH });
  if (/\p{Cc}|\p{Cn}/u.test(topic)) refuse('TOPIC_INVALID');
  return topic;
}

/** A topic as a client is told of it, which may not know that the empty one is a topic. */
export const topicForClients = (topic: string, knowsEmptyTopic: boolean): string =>
  topic === '' && !knowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic;

/** What topics are compared by, of one that is named as clients show it. */
export const topicKeyOf = (shown: string): string => (shown === EMPTY_TOPIC_DISPLAY_NAME ? '' : fold(shown));

/** Whether a channel takes messages in the topic. @throws DomainError TOPIC_REQUIRED, TOPIC_NOT_ALLOWED */
export function requireTopicAllowed(topic: string, policy: Exclude<TopicsPolicy, 'inherit'>): void {
  if (topic === '' && policy === 'disable_empty_topic') refuse('TOPIC_REQUIRED');
  if (topic !== '' && policy === 'empty_topic_only') refuse('TOPIC_NOT_ALLOWED');
}
