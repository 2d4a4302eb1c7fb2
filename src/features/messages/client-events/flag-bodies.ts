import type { OwnFlag } from '../../../events/read-state/read-state.events.js';

/**
 * The body by which a reader's flags change.
 * @param details by message id: where the messages are that become unread
 */
export const flagsBody = (
  op: 'add' | 'remove',
  flag: OwnFlag,
  messages: readonly number[],
  details?: ReadonlyMap<number, object>,
): string =>
  JSON.stringify({
    type: 'update_message_flags',
    op,
    // The older name of `op`.
    operation: op,
    flag,
    messages,
    all: false,
    ...(details && { message_details: Object.fromEntries(details) }),
  });
