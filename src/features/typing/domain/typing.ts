import { Command, refuse } from '../../../platform/kernel/deciding.js';

export type TypingOperation = 'start' | 'stop';

/** Says that a user types, or no longer types, a message to a topic or to people. */
export class SetTyping extends Command<{
  senderId: number;
  op: TypingOperation;
  to:
    | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
    | { readonly type: 'direct'; readonly userIds: readonly number[] };
}> {}

/** Says that a user edits, or no longer edits, a message's content. */
export class SetEditTyping extends Command<{ editorId: number; messageId: number; op: TypingOperation }> {}

interface EditTypingFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly senderId: number;
  readonly sentAt: number;
  readonly isEditingAllowed: boolean;
  /** null: there is no limit. */
  readonly limitSeconds: number | null;
}

/** Refuses users who may not save the edit. */
export function requireEditable({ editorId }: SetEditTyping, facts: EditTypingFacts): void {
  const { now, senderId, sentAt, isEditingAllowed, limitSeconds } = facts;
  if (!isEditingAllowed) refuse('EDITING_TURNED_OFF');
  if (senderId !== editorId) refuse('MAY_NOT_EDIT_MESSAGE');
  if (limitSeconds !== null && now - sentAt > limitSeconds * 1000) refuse('MESSAGE_EDIT_TOO_LATE');
}
