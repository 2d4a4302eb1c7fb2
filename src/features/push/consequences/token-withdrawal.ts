import { personalStream } from '../../../events/personal/personal.events.js';
import type { PushTokenEvent } from '../../../events/push/push.events.js';
import type { ApiKeysRegenerated } from '../../../events/users/users.events.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';
import { pushState } from '../domain/push.state.js';
import { decideWithdrawPushTokens, WithdrawPushTokens } from '../domain/remove-push-token.js';

/** Removes the tokens of an account whose API keys were regenerated: whoever held a key may have added them. */
export const tokenWithdrawal = processManager<ApiKeysRegenerated>({
  name: 'push-token-withdrawal',
  on: 'ApiKeysRegenerated',
  react: async ({ id, data: { userId }, metadata, position }, runner) => {
    const stream = personalStream(userId);
    const addedSince = new Set<string>();
    for await (const event of runner.eventsSince<PushTokenEvent>({ position }, stream))
      if (event.stream === stream && event.type === 'PushTokenAdded') addedSince.add(event.data.keyId);
    const outcome = await runner.decide({
      stream,
      decider: pushState,
      expects: 'any',
      decide: decideWithdrawPushTokens,
      command: new WithdrawPushTokens(userId, addedSince),
      context: undefined,
      by: { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId },
      cause: { eventId: id, position, ids: (_, { data }) => derivedId('push-token-withdrawal', id, data.keyId) },
    });
    return Math.max(position, outcome.position);
  },
});
