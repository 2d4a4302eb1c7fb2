import { SYNCHRONIZATION } from '../../../events/drafts/drafts.events.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import type { UserSettingChanged } from '../../../events/personal/user-settings.events.js';
import { causerOf, decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { decideWithdrawDrafts, drafts, WithdrawDrafts } from '../domain/drafts.js';

/** Deletes the drafts of a user who turns their synchronization off, with their keys. Their documents are gone already. */
export const draftWithdrawal = processManager<UserSettingChanged>({
  name: 'draft-withdrawal',
  on: 'UserSettingChanged',
  appends: ['DraftDeleted'],
  concerns: ({ property, to }) => property === SYNCHRONIZATION && to === false,
  react: async ({ id, data: { userId }, metadata, position }, runner) => {
    const by = causerOf({ metadata });
    let reached = position;
    for (;;) {
      const outcome = await decideAfter({ id, metadata, position }, runner, {
        stream: personalStream(userId),
        decider: drafts,
        decide: decideWithdrawDrafts,
        command: new WithdrawDrafts(userId, by),
        context: undefined,
        ids: (_, { data }) => derivedId('draft-withdrawal', id, data.draftId),
      });
      if (outcome.events.length === 0) return reached;
      // If the process ends before this call, `ErasedContent` destroys the keys.
      await runner.destroyKeys(runner.endedBy(outcome.events).keyIds);
      reached = Math.max(reached, outcome.position);
    }
  },
});
