import type { MessageDeleted, Placed } from '../../../events/messages/message.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type MessageState, placed } from './message.state.js';

export class DeleteMessage extends Command<{ messageId: number }> {}

/** Facts from other streams that a deletion is decided on (D4). */
export interface DeleteMessageFacts extends Placed {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly mayDeleteAny: boolean;
  /** Whether they may delete their own messages, within the time limit. */
  readonly mayDeleteOwn: boolean;
  /** Ids of the caller and of the caller's bots. */
  readonly ownSenderIds: ReadonlySet<number>;
  /** Limit for own messages; null: none. */
  readonly limitSeconds: number | null;
}

/** The rules of `DELETE /messages/{message_id}`. */
export const decideDeleteMessage: Decide<DeleteMessage, MessageState, MessageDeleted, DeleteMessageFacts> = (
  { messageId },
  state,
  { now, mayDeleteAny, mayDeleteOwn, ownSenderIds, limitSeconds, ...where },
) => {
  if (state.status !== 'living') return refuse('INVALID_MESSAGE');
  const { senderId, keyId, sentAt, everLinkedIds } = state;
  const isOwn = mayDeleteOwn && ownSenderIds.has(senderId);
  const isTooLate = limitSeconds !== null && now - sentAt > limitSeconds * 1000;
  if (!mayDeleteAny && !isOwn) refuse('MAY_NOT_DELETE_MESSAGE');
  if (!mayDeleteAny && isTooLate) refuse('MESSAGE_DELETE_TOO_LATE');
  return [
    {
      type: 'MessageDeleted',
      data: {
        messageId,
        senderId,
        ...placed(where),
        keyId,
        ...(everLinkedIds.length > 0 && { attachmentIds: everLinkedIds }),
      },
    },
  ];
};

/** Deletes every message of a topic that the caller may see, the newest first, each as by DeleteMessage. */
export class DeleteTopic extends Command<
  {
    userId: number;
    channelId: number;
    topic: string;
    /** No further batch is begun after this time, in milliseconds since 1970. */
    until: number;
  },
  boolean
> {}
