import { endsContent, endsKeys } from '../kernel/content-duties.js';
import type { EventRegistry } from '../log/event-codec.js';
import type { Projection } from '../read-models/projection.js';

/** The projections whose documents held the content that an event erases (D7), by the event's type. */
export type Erasures = ReadonlyMap<string, readonly Projection[]>;

/**
 * Derives the erasures: a projection that holds content handles the events that erase it. A file has no copy in documents,
 * so an event that ends only files has none purged.
 */
export function erasuresIn(registry: EventRegistry, projections: readonly Projection[]): Erasures {
  const holding = projections.filter(({ holdsContent }) => holdsContent);
  const ending = [...registry.values()].filter(endsContent);
  return new Map(ending.map((one) => [one.type, endsKeys(one) ? holding.filter(({ on }) => on[one.type]) : []]));
}
