import type { DraftDeleted } from '../../../events/drafts/drafts.events.js';
import type { CommandContext, Decide } from '../../../platform/kernel/deciding.js';
import type { DraftsState } from './drafts.state.js';

/** Drafts of one append; the next call withdraws more. */
const MOST_AT_ONCE = 100;

/** Deletes the drafts that existed when their writer turned synchronization off. */
export class WithdrawDrafts {
  constructor(
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideWithdrawDrafts: Decide<WithdrawDrafts, DraftsState, DraftDeleted> = (
  { userId },
  { byId, withdrawnThrough },
) =>
  [...byId]
    .filter(([draftId]) => draftId <= withdrawnThrough)
    .sort(([a], [b]) => a - b)
    .slice(0, MOST_AT_ONCE)
    .map(([draftId, { keyId, recipient, editedAt }]) => ({
      type: 'DraftDeleted',
      data: { userId, draftId, keyId, recipient, editedAt, isWithdrawn: true },
    }));
