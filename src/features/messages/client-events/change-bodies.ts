import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import type {
  messageDelete,
  messageUpdate,
  reactionAdd,
  reactionRemove,
} from '../../../../projections/client-events/messages.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import { topicForClients } from '../../../events/messages/topic-name.js';
import { contentAtRevision } from '../queries/records/message-content.js';

export interface UpdateFacts {
  /** null: the reader may not know the name. */
  readonly channelName: string | null;
  /** Whether readers may see the content before the edit. */
  readonly showsPreviousContent: boolean;
}

/**
 * The body of an edit, without the reader's flags. The content is as this edit left it, whatever has changed it since.
 */
export function updateBody(
  event: ClientEventOf<typeof messageUpdate>,
  message: MessageDocument,
  { channelName, showsPreviousContent }: UpdateFacts,
): Record<string, unknown> {
  const { messageId, place, editorId, contentRevision } = event.payload;
  const channel = place.type === 'channel' ? { stream_id: place.channelId, stream_name: channelName ?? '' } : {};
  return {
    type: 'update_message',
    user_id: editorId,
    rendering_only: false,
    message_id: messageId,
    message_ids: [messageId],
    edit_timestamp: Math.floor(event.at / 1000),
    ...channel,
    ...contentBody(message, contentRevision, showsPreviousContent),
  };
}

/** The part of a body that tells of an edit of the content. */
export function contentBody(
  message: MessageDocument,
  contentRevision: number,
  showsPreviousContent: boolean,
): Record<string, unknown> {
  const [before, after] = [
    contentAtRevision(message, contentRevision - 1),
    contentAtRevision(message, contentRevision),
  ];
  return {
    ...(showsPreviousContent && { orig_content: before.text ?? '', orig_rendered_content: before.rendered ?? '' }),
    content: after.text ?? '',
    rendered_content: after.rendered ?? '',
    is_me_message: after.text?.startsWith('/me ') ?? false,
  };
}

export function reactionBody(
  { kind, payload }: ClientEventOf<typeof reactionAdd | typeof reactionRemove>,
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
    // Deprecated, but some clients fail without it.
    user: { user_id: userId, email: user?.email ?? '', full_name: user?.fullName ?? '', is_mirror_dummy: false },
  };
}

/** The body of a deletion: a list of ids for clients with `bulk_message_deletion`, one id for others. */
export function deletionBody(
  { payload: { messageId, place } }: ClientEventOf<typeof messageDelete>,
  { clientCapabilities }: EventQueueDocument,
): Record<string, unknown> {
  const which = clientCapabilities.bulk_message_deletion ? { message_ids: [messageId] } : { message_id: messageId };
  if (place.type === 'direct') return { type: 'delete_message', ...which, message_type: 'private' };
  const topic = topicForClients(place.topic, clientCapabilities.empty_topic_name ?? false);
  return { type: 'delete_message', ...which, message_type: 'stream', stream_id: place.channelId, topic };
}
