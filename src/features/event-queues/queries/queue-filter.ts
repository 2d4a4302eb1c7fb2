import {
  type ClientEventDocument,
  positionOf,
  typeOf,
} from '../../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { ClientEventTexts } from './client-event-texts.js';

/** Whether a queue passes an event whose audience its user is in. */
export type QueueFilter = (event: ClientEventDocument) => boolean;

/** Filters by type, by the positions of the registered state, and by the narrow of messages. */
export function queueFilter(
  queue: EventQueueDocument,
  { narrowing, replacedBy }: Pick<ClientEventTexts, 'narrowing' | 'replacedBy'>,
): QueueFilter {
  const types = queue.eventTypes === null ? null : new Set(queue.eventTypes);
  // A client that knows the newer type names it in `event_types`.
  const replaced = new Set([...replacedBy].flatMap(([kind, newer]) => (types?.has(newer) ? [kind] : [])));
  const isInNarrow = narrowing.filterFor(queue);
  return (event) => {
    if (types && !types.has(typeOf(event.kind))) return false;
    if (replaced.size > 0 && replaced.has(event.kind)) return false;
    if (positionOf(event._id) <= (queue.statePositions[event.part] ?? queue.startsAfter)) return false;
    return isInNarrow === null || isInNarrow(event);
  };
}
