import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { DraftDeleted } from './drafts.events.js';
import type { DraftsState } from './drafts.state.js';

export class DeleteDraft {
  constructor(
    readonly userId: number,
    readonly draftId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideDeleteDraft: Decide<DeleteDraft, DraftsState, DraftDeleted> = ({ userId, draftId }, { byId }) => {
  const { keyId, recipient, editedAt } = byId.get(draftId) ?? refuse('DRAFT_NOT_FOUND');
  return [{ type: 'DraftDeleted', data: { userId, draftId, keyId, recipient, editedAt, isWithdrawn: false } }];
};
