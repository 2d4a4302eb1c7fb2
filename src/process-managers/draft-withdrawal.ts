import { drafts, SYNCHRONIZATION } from '../drafts/domain/drafts.state.js';
import { decideWithdrawDrafts, WithdrawDrafts } from '../drafts/domain/withdraw-drafts.js';
import { derivedId } from '../kernel/derived-id.js';
import { personalStream } from '../personal/domain/personal.events.js';
import type { UserSettingChanged } from '../personal/domain/user-settings.events.js';
import { processManager } from './process-manager.js';

/** Whoever has their drafts no longer kept here has none here. */
export const draftWithdrawal = processManager<UserSettingChanged>({
  name: 'draft-withdrawal',
  on: 'UserSettingChanged',
  concerns: ({ property, to }) => property === SYNCHRONIZATION && to === false,
  react: async ({ id, data: { userId }, metadata, position }, runner) => {
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    let reached = position;
    for (;;) {
      const outcome = await runner.decide({
        stream: personalStream(userId),
        decider: drafts,
        decide: decideWithdrawDrafts,
        command: new WithdrawDrafts(userId, by),
        context: undefined,
        by,
        cause: { eventId: id, position, ids: (_, { data }) => derivedId('draft-withdrawal', id, data.draftId) },
      });
      if (outcome.events.length === 0) return reached;
      // Whoever follows the log does it too, should this be as far as it goes.
      await runner.destroyKeys(outcome.events.map(({ data }) => data.keyId));
      reached = Math.max(reached, outcome.position);
    }
  },
});
