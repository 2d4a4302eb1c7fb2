import type { ClientEventOf } from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import { topicForClients } from '../../messages/domain/topic-name.js';
import { wordsOf } from '../../messages/queries/message-words.js';

export interface UpdateFacts {
  /** null: the reader may not know it. */
  readonly channelName: string | null;
  /** Whether the words before an edit may be seen. */
  readonly tellsPast: boolean;
}

/** The words as the edit left them, whatever has become of them since; what is the reader's own comes last. */
export function updateBody(
  event: ClientEventOf<'update_message'>,
  message: MessageDocument,
  { channelName, tellsPast }: UpdateFacts,
): Record<string, unknown> {
  const { messageId, place, editorId, contentRevision } = event.payload;
  const [before, after] = [wordsOf(message, contentRevision - 1), wordsOf(message, contentRevision)];
  const channel = place.type === 'channel' ? { stream_id: place.channelId, stream_name: channelName ?? '' } : {};
  return {
    type: 'update_message',
    user_id: editorId,
    rendering_only: false,
    message_id: messageId,
    message_ids: [messageId],
    edit_timestamp: Math.floor(event.at / 1000),
    ...channel,
    ...(tellsPast && { orig_content: before.text ?? '', orig_rendered_content: before.rendered ?? '' }),
    content: after.text ?? '',
    rendered_content: after.rendered ?? '',
    is_me_message: after.text?.startsWith('/me ') ?? false,
  };
}

export function reactionBody(
  { kind, payload }: ClientEventOf<'reaction/add'> | ClientEventOf<'reaction/remove'>,
  directory: Directory,
): Record<string, unknown> {
  const { messageId, userId, emojiName, emojiCode, reactionType } = payload;
  const user = directory.user(userId);
  return {
    type: 'reaction',
    op: kind === 'reaction/add' ? 'add' : 'remove',
    message_id: messageId,
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: reactionType,
    user_id: userId,
    // Deprecated, and what some clients fail without.
    user: {
      user_id: userId,
      email: user?.email ?? '',
      full_name: user?.fullName ?? '',
      is_mirror_dummy: false,
    },
  };
}

/** Clients that know of it get a list, others one message an event. */
export function deletionBody(
  { payload: { messageId, place } }: ClientEventOf<'delete_message'>,
  { clientCapabilities }: EventQueueDocument,
): Record<string, unknown> {
  const which = clientCapabilities.bulk_message_deletion ? { message_ids: [messageId] } : { message_id: messageId };
  if (place.type === 'direct') return { type: 'delete_message', ...which, message_type: 'private' };
  const topic = topicForClients(place.topic, clientCapabilities.empty_topic_name ?? false);
  return { type: 'delete_message', ...which, message_type: 'stream', stream_id: place.channelId, topic };
}
