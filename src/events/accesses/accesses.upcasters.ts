import type { Upcaster } from '../../platform/kernel/event-definition.js';

/** Version 1 has the number alone. */
export const moreAccessesFrom1: Upcaster = (data) => ({
  ...data,
  ...{ accounts: [], otherAccounts: 0, kinds: [], otherKinds: 0 },
});
