import type { CommandContext } from '../../kernel/command-context.js';
import { refuse } from '../../kernel/domain-error.js';
import type { TypingOperation } from './set-typing.js';

/** Somebody edits, or no longer edits, the words of a message. */
export class SetEditTyping {
  constructor(
    readonly editorId: number,
    readonly messageId: number,
    readonly op: TypingOperation,
    readonly by: CommandContext,
  ) {}
}

export interface EditTypingFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly senderId: number;
  readonly sentAt: number;
  readonly isEditingAllowed: boolean;
  /** null: there is no limit. */
  readonly limitSeconds: number | null;
}

/** Who may not save the edit does not tell of it either. */
export function requireEditable({ editorId }: SetEditTyping, facts: EditTypingFacts): void {
  const { now, senderId, sentAt, isEditingAllowed, limitSeconds } = facts;
  if (!isEditingAllowed) refuse('EDITING_TURNED_OFF');
  if (senderId !== editorId) refuse('MAY_NOT_EDIT_MESSAGE');
  if (limitSeconds !== null && now - sentAt > limitSeconds * 1000) refuse('MESSAGE_EDIT_TOO_LATE');
}
