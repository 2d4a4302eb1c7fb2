import type { StoredDocument } from '../src/document-store/document-store.js';
import type { EventQueueEvent, QueueRegistered } from '../src/event-queues/domain/event-queues.events.js';
import type { Position } from '../src/kernel/position.js';
import { type Change, insert, projection } from './projection.js';

/** A live queue: where it starts and what it lets through. How far its client has come, the client says (D10). */
export type EventQueueDocument = StoredDocument &
  Omit<QueueRegistered['data'], 'queueId'> & {
    /** The queue's id. */
    readonly _id: string;
    /** Milliseconds since 1970. */
    readonly registeredAt: number;
    readonly position: Position;
  };

export const eventQueues = projection<EventQueueEvent>({
  name: 'event-queues',
  version: 1,
  collections: { queues: {} },
  on: {
    QueueRegistered: ({ data: { queueId, ...queue }, metadata, position }) => {
      const document: EventQueueDocument = { _id: queueId, ...queue, registeredAt: metadata.at, position };
      return [insert('queues', document)];
    },
    QueueDeleted: ({ data }) => [removed(data.queueId)],
    QueueExpired: ({ data }) => [removed(data.queueId)],
  },
});

const removed = (queueId: string): Change => ({
  collection: 'queues',
  operation: { deleteOne: { filter: { _id: queueId } } },
});
