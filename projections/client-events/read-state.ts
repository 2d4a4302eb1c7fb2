import { idsIn, type OwnFlag, type ReadStateEvent } from '../../src/events/read-state/read-state.events.js';
import type { EventHandlers } from '../../src/platform/read-models/projection.js';
import { clientEvent, staticClientEvent } from './client-event.js';
import { written } from './written.js';

interface FlagAdded {
  /** The older name of `op`. */
  readonly operation: 'add';
  readonly flag: OwnFlag;
  readonly messages: readonly number[];
  readonly all: boolean;
}

/** The places of messages that become unread are filled in when the client event is sent. */
interface FlagRemovedPayload {
  readonly flag: OwnFlag;
  readonly messageIds: readonly number[];
}

export const flagsAdd = staticClientEvent<FlagAdded>()({
  kind: 'update_message_flags/add',
  rank: 1024,
  part: 'messages',
});

export const flagsRemove = clientEvent<FlagRemovedPayload>()({
  kind: 'update_message_flags/remove',
  rank: 1024,
  part: 'messages',
});

/**
 * `update_message_flags/remove` for the stars of messages that a user has lost with a channel. Each reader's messages are
 * looked up when the client event is sent.
 */
export const starsLost = clientEvent<Readonly<Record<never, never>>>()({
  kind: 'update_message_flags/lost',
  rank: 3712,
});

/** Tells only the user's own clients. */
export const readStateRules: EventHandlers<ReadStateEvent> = {
  FlagsAdded: (event, documents) => {
    const { userId, flag, ranges } = event.data;
    const body = { operation: 'add', flag, messages: idsIn(ranges), all: false } as const;
    return written(event, documents, [flagsAdd.of(event, { userIds: [userId] }, body)]);
  },
  FlagsRemoved: (event, documents) => {
    const { userId, flag, ranges } = event.data;
    const removed = flagsRemove.of(event, { userIds: [userId] }, { flag, messageIds: idsIn(ranges) });
    return written(event, documents, [removed]);
  },
  AllMessagesRead: (event, documents) => {
    const body = { operation: 'add', flag: 'read', messages: [], all: true } as const;
    return written(event, documents, [flagsAdd.of(event, { userIds: [event.data.userId] }, body)]);
  },
};
