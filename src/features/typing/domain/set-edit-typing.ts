import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { TypingOperation } from './set-typing.js';

/** Says that a user edits, or no longer edits, a message's content. */
export class SetEditTyping extends Command<void> {
  constructor(
    readonly editorId: number,
    readonly messageId: number,
    readonly op: TypingOperation,
    readonly by: CommandContext,
  ) {
    super();
  }
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

/** Refuses users who may not save the edit. */
export function requireEditable({ editorId }: SetEditTyping, facts: EditTypingFacts): void {
  const { now, senderId, sentAt, isEditingAllowed, limitSeconds } = facts;
  if (!isEditingAllowed) refuse('EDITING_TURNED_OFF');
  if (senderId !== editorId) refuse('MAY_NOT_EDIT_MESSAGE');
  if (limitSeconds !== null && now - sentAt > limitSeconds * 1000) refuse('MESSAGE_EDIT_TOO_LATE');
}
