import type { Recorded } from '../../src/kernel/event.js';
import { idsIn, type OwnFlag, type ReadStateEvent } from '../../src/read-state/domain/read-state.events.js';
import type { ClientEventDocument } from '../client-events.documents.js';
import type { EventHandlers } from '../projection.js';
import { entry, told } from './entries.js';
import { written } from './written.js';

const PART = { part: 'messages' } as const;

/** A user's own clients are told, and nobody else. */
export const readStateRules: EventHandlers<ReadStateEvent> = {
  FlagsAdded: (event, documents) => {
    const { flag, ranges } = event.data;
    return written(event, documents, [added(event, flag, idsIn(ranges), false)]);
  },
  FlagsRemoved: (event, documents) => {
    const { userId, flag, ranges } = event.data;
    const payload = { flag, messageIds: idsIn(ranges) };
    const removed = entry(event, 'update_message_flags/remove', { userIds: [userId] }, payload, PART);
    return written(event, documents, [removed]);
  },
  AllMessagesRead: (event, documents) => written(event, documents, [added(event, 'read', [], true)]),
};

function added(event: Recorded<ReadStateEvent>, flag: OwnFlag, messages: number[], all: boolean): ClientEventDocument {
  // `operation`: the older name of `op`.
  const body = { operation: 'add', flag, messages, all };
  return { ...told(event, 'update_message_flags/add', { userIds: [event.data.userId] }, body), ...PART };
}
