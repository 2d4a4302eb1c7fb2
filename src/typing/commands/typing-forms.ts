import type { Directory } from '../../directory/directory.js';
import type { EphemeralForm } from '../../event-queues/queries/ephemeral-event.js';
import { refuse } from '../../kernel/domain-error.js';
import type { JsonObject } from '../../kernel/json.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../messages/domain/topic-name.js';
import type { UserSettings } from '../../personal/queries/user-settings.js';

/** Who keeps it to themselves. Refuses with TYPING_KEPT_FROM_CHANNELS, TYPING_KEPT_FROM_CONVERSATIONS. */
export function requireTold(userId: number, place: 'channel' | 'direct', settings: UserSettings): void {
  if (place === 'channel' && !settings.value(userId, 'send_stream_typing_notifications'))
    refuse('TYPING_KEPT_FROM_CHANNELS');
  if (place === 'direct' && !settings.value(userId, 'send_private_typing_notifications'))
    refuse('TYPING_KEPT_FROM_CONVERSATIONS');
}

/** Of those, who wants to be told. */
export const wanting = (userIds: readonly number[], settings: UserSettings): readonly number[] =>
  userIds.filter((userId) => settings.value(userId, 'receives_typing_notifications'));

/** In larger channels somebody always writes: telling everybody would cost more than the messages do. */
const MOST_SUBSCRIBERS = 100;

/** Whom a channel's typing is told, the one who types left out; nobody where the channel is too large. */
export function othersIn(channelId: number, typingId: number, directory: Directory): readonly number[] {
  const subscribers = directory.subscriberIds(channelId);
  return subscribers.length > MOST_SUBSCRIBERS ? [] : subscribers.filter((id) => id !== typingId);
}

/** The same for all, but that the empty topic has a name for clients that know of none without one. */
export function formsInTopic(
  topic: string,
  needs: readonly string[],
  body: (topic: string) => JsonObject,
): readonly EphemeralForm[] {
  if (topic !== '') return [{ needs, body: body(topic) }];
  return [
    { needs: [...needs, 'empty_topic_name'], body: body('') },
    { needs, body: body(EMPTY_TOPIC_DISPLAY_NAME) },
  ];
}
