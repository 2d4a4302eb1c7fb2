import { eventTypeFilter, excludeSystemEvents, type Filter, streamNameFilter } from '@eventstore/db-client';
import type { Position } from '../../kernel/position.js';
import type { EventFilter, StoredEvent } from '../event-store.js';

/** With the client's default of 32 events in a window, finding few events among many takes four times as long. */
const PROGRESS = { maxSearchWindow: 1000, checkpointInterval: 10 };

/** Events that the server looks at before it says how far it has come. */
export const CHECKPOINT_EVERY = PROGRESS.maxSearchWindow * PROGRESS.checkpointInterval;

/**
 * What the server leaves out. It takes one condition: types where there are any, since they leave more out, otherwise
 * streams. Types go as prefixes; what passes too much is left out by `passes`.
 */
export function serverFilter(
  streamPrefix: string,
  filter: EventFilter | undefined,
  checkpoint: (position: Position | undefined) => void,
): Filter {
  const options = {
    ...PROGRESS,
    // A position whose parts differ lies inside an old transaction of somebody else's: no place to resume from.
    checkpointReached: (_: unknown, { commit, prepare }: { commit: bigint; prepare: bigint }) =>
      checkpoint(commit === prepare ? Number(commit) : undefined),
  };
  if (filter?.types) return eventTypeFilter({ ...options, prefixes: [...filter.types] });
  const streams = (filter?.streamPrefixes ?? ['']).map((name) => streamPrefix + name);
  if (streams.some((name) => name === '')) return excludeSystemEvents(options);
  return streamNameFilter({ ...options, prefixes: streams });
}

export function passes({ stream, type }: StoredEvent, filter: EventFilter | undefined): boolean {
  if (filter?.types && !filter.types.includes(type)) return false;
  return !filter?.streamPrefixes || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
}

/** An empty list: to the server it would mean everything. */
export function passesNothing(filter: EventFilter | undefined): boolean {
  return filter?.types?.length === 0 || filter?.streamPrefixes?.length === 0;
}
