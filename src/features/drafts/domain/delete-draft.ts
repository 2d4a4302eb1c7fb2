import type { DraftDeleted } from '../../../events/drafts/drafts.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type DraftsState, draftIn } from './drafts.state.js';

export class DeleteDraft extends Command<{ userId: number; draftId: number }> {}

export const decideDeleteDraft: Decide<DeleteDraft, DraftsState, DraftDeleted> = ({ userId, draftId }, state) => {
  if (!state.isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const { keyId, recipient, editedAt } = draftIn(state, draftId) ?? refuse('DRAFT_NOT_FOUND');
  return [{ type: 'DraftDeleted', data: { userId, draftId, keyId, recipient, editedAt, isWithdrawn: false } }];
};
