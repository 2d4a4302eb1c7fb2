import { refuse } from '../../platform/kernel/deciding.js';
import { foldCase, shortened } from '../../platform/kernel/text.js';
import type { TopicsPolicy } from '../channels/channels.settings.js';

/** In Unicode code points; sent to clients in the register response. */
export const MAX_TOPIC_LENGTH = 60;

/** The name that clients show for the empty topic (`realm_empty_topic_display_name`). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

/** The prefix of a resolved topic's name. */
export const RESOLVED_PREFIX = '✔ ';

/** The names that the API reads as the empty topic. */
const NAMES_OF_THE_EMPTY_TOPIC: readonly string[] = ['(no topic)', EMPTY_TOPIC_DISPLAY_NAME];

/** The topic of that name, shortened if it is too long. @throws DomainError TOPIC_INVALID */
export function topicNamed(name: string): string {
  const trimmed = name.trim();
  const topic = NAMES_OF_THE_EMPTY_TOPIC.includes(trimmed) ? '' : trimmed;
  if (/\p{Cc}|\p{Cn}/u.test(topic)) refuse('TOPIC_INVALID');
  return shortenedTopic(topic);
}

export const shortenedTopic = (topic: string): string => shortened(topic, MAX_TOPIC_LENGTH, '...');

/** Whether a name is a topic's name when it is resolved. The longest topics lose their end to the prefix. */
export function isResolvedName(name: string, topic: string): boolean {
  const resolved = RESOLVED_PREFIX + topic;
  // Some clients shorten it by themselves, without a mark.
  return name === shortenedTopic(resolved) || name === shortened(resolved, MAX_TOPIC_LENGTH, '');
}

/** The topic's name for a client, which may not know the empty topic. */
export const topicForClients = (topic: string, knowsEmptyTopic: boolean): string =>
  topic === '' && !knowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic;

/** The key by which topics are compared. @param shown the name as clients show it */
export const topicKeyOf = (shown: string): string =>
  shown === EMPTY_TOPIC_DISPLAY_NAME ? '' : foldCase(shortenedTopic(shown));

/** Refuses a topic that the channel's policy excludes. @throws DomainError TOPIC_REQUIRED, TOPIC_NOT_ALLOWED */
export function requireTopicAllowed(topic: string, policy: Exclude<TopicsPolicy, 'inherit'>): void {
  if (topic === '' && policy === 'disable_empty_topic') refuse('TOPIC_REQUIRED');
  if (topic !== '' && policy === 'empty_topic_only') refuse('TOPIC_NOT_ALLOWED');
}
