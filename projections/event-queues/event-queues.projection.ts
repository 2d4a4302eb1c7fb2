import type { EventQueueEvent, QueueRegistered } from '../../src/events/event-queues/event-queues.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { insert, projection, removal } from '../../src/platform/read-models/projection.js';

/** A live queue: its start and its filters. The client itself says how far it has read (D10). */
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
    QueueDeleted: ({ data }) => [removal('queues', data.queueId)],
    QueueExpired: ({ data }) => [removal('queues', data.queueId)],
  },
});
