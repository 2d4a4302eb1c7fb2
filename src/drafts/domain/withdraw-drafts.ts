import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { DraftDeleted } from './drafts.events.js';
import type { DraftsState } from './drafts.state.js';

/** Appended together; what is left is for the next time. */
const MOST_AT_ONCE = 100;

/** Takes drafts away that are no longer kept: those that there were when their writer said so. */
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
