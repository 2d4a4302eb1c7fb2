import type { DraftDeleted } from '../../../events/drafts/drafts.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { type DraftsState, draftIn } from './drafts.state.js';

export class DeleteDraft extends Command<void> {
  constructor(
    readonly userId: number,
    readonly draftId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideDeleteDraft: Decide<DeleteDraft, DraftsState, DraftDeleted> = ({ userId, draftId }, state) => {
  if (!state.isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const { keyId, recipient, editedAt } = draftIn(state, draftId) ?? refuse('DRAFT_NOT_FOUND');
  return [{ type: 'DraftDeleted', data: { userId, draftId, keyId, recipient, editedAt, isWithdrawn: false } }];
};
