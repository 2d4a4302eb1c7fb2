import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { MessageDeleted, Placed } from './message.events.js';
import type { MessageState } from './message.state.js';
import { placed } from './placed.js';

export class DeleteMessage {
  constructor(
    readonly messageId: number,
    readonly by: CommandContext,
  ) {}
}

/** What is known of others when the message is deleted (D4). */
export interface DeleteMessageFacts extends Placed {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly mayDeleteAny: boolean;
  /** What they have sent themselves, in time. */
  readonly mayDeleteOwn: boolean;
  /** The caller, and the bots that are theirs. */
  readonly ownSenderIds: ReadonlySet<number>;
  /** For their own; null: there is no limit. */
  readonly limitSeconds: number | null;
}

/** The rules of api.md, endpoint 15. */
export const decideDeleteMessage: Decide<DeleteMessage, MessageState, MessageDeleted, DeleteMessageFacts> = (
  { messageId },
  state,
  { now, mayDeleteAny, mayDeleteOwn, ownSenderIds, limitSeconds, ...where },
) => {
  if (state.status !== 'living') return refuse('INVALID_MESSAGE');
  const { senderId, keyId, sentAt, everLinkedIds } = state;
  if (!mayDeleteAny) {
    if (!mayDeleteOwn || !ownSenderIds.has(senderId)) refuse('MAY_NOT_DELETE_MESSAGE');
    if (limitSeconds !== null && now - sentAt > limitSeconds * 1000) refuse('MESSAGE_DELETE_TOO_LATE');
  }
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
