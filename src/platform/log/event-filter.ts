import type { EventFilter, StoredEvent } from './event-store.js';

export function passes({ stream, type }: StoredEvent, filter: EventFilter | undefined): boolean {
  if (filter?.types && !filter.types.includes(type)) return false;
  return !filter?.streamPrefixes || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
}

/** Finds empty lists. An engine may take them for "everything". */
export function passesNothing(filter: EventFilter | undefined): boolean {
  return filter?.types?.length === 0 || filter?.streamPrefixes?.length === 0;
}
