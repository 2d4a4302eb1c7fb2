import type { Directory } from '../../../directory/directory.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../events/messages/topic-name.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import type { EphemeralForm } from '../../event-queues/queries/ephemeral-event.js';
import type { UserSettings } from '../../personal/queries/user-settings.js';

/** Refuses users who have turned typing notifications off, with TYPING_KEPT_FROM_CHANNELS, TYPING_KEPT_FROM_CONVERSATIONS. */
export function requireShared(userId: number, place: 'channel' | 'direct', settings: UserSettings): void {
  if (place === 'channel' && !settings.value(userId, 'send_stream_typing_notifications'))
    refuse('TYPING_KEPT_FROM_CHANNELS');
  if (place === 'direct' && !settings.value(userId, 'send_private_typing_notifications'))
    refuse('TYPING_KEPT_FROM_CONVERSATIONS');
}

/** Those who have typing notifications on. Who types is notified, too, for their other clients. */
export const wanting = (userIds: readonly number[], settings: UserSettings): readonly number[] =>
  userIds.filter((userId) => settings.value(userId, 'receives_typing_notifications'));

/** In larger channels somebody always types: the notifications would cost more than the messages. */
const MOST_SUBSCRIBERS = 100;

/** The subscribers of a channel; empty if the channel is too large for typing notifications. */
export function subscribersIn(channelId: number, directory: Directory): readonly number[] {
  const subscribers = directory.subscriberIds(channelId);
  return subscribers.length > MOST_SUBSCRIBERS ? [] : subscribers;
}

/** One form, or two for the empty topic: clients without `empty_topic_name` get a name for it. */
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
