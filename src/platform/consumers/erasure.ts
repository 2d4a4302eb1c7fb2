import type { DomainEvent } from '../kernel/event.js';
import type { Projection } from '../read-models/projection.js';

/**
 * Content that an event erases (D7): its key, its file, and every trace in documents. The event's feature declares it.
 */
export interface Erasure<E extends DomainEvent = DomainEvent> {
  readonly on: E['type'];
  /** Id of the key that the content was sealed under. */
  readonly keyId: (event: E) => string;
  /** Id of the file whose bytes are removed; absent: there is none. */
  readonly fileId?: (event: E) => string;
  /** Projections whose documents held the content. */
  readonly heldBy: readonly Projection[];
}

/** Drops the event's type, which `on` ensures, so that erasures by different events fit in one list. */
export function erasure<E extends DomainEvent>(definition: Erasure<E>): Erasure {
  return definition as unknown as Erasure;
}
