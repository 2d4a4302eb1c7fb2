import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { DraftDeleted } from './drafts.events.js';
import { type DraftsState, draftIn } from './drafts.state.js';

export class DeleteDraft {
  constructor(
    readonly userId: number,
    readonly draftId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideDeleteDraft: Decide<DeleteDraft, DraftsState, DraftDeleted> = ({ userId, draftId }, state) => {
  if (!state.isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const { keyId, recipient, editedAt } = draftIn(state, draftId) ?? refuse('DRAFT_NOT_FOUND');
  return [{ type: 'DraftDeleted', data: { userId, draftId, keyId, recipient, editedAt, isWithdrawn: false } }];
};
