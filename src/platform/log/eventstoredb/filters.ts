import { eventTypeFilter, excludeSystemEvents, type Filter, streamNameFilter } from '@eventstore/db-client';
import type { Position } from '../../kernel/position.js';
import type { EventFilter } from '../event-store.js';

/** The client's default of 32 events in a window takes four times as long to find few events among many. */
const PROGRESS = { maxSearchWindow: 1000, checkpointInterval: 10 };

/** Number of events that the server examines between two reports of its position. */
export const CHECKPOINT_EVERY = PROGRESS.maxSearchWindow * PROGRESS.checkpointInterval;

/**
 * Translates a filter for the server, which takes one condition: the types if there are any, because they exclude more,
 * otherwise the streams. The server takes types as prefixes; `passes` excludes the rest.
 */
export function serverFilter(
  streamPrefix: string,
  filter: EventFilter | undefined,
  checkpoint: (position: Position | undefined) => void,
): Filter {
  const options = {
    ...PROGRESS,
    // A position with two different parts lies inside an old transaction of another program: no place to resume from.
    checkpointReached: (_: unknown, { commit, prepare }: { commit: bigint; prepare: bigint }) =>
      checkpoint(commit === prepare ? Number(commit) : undefined),
  };
  if (filter?.types) return eventTypeFilter({ ...options, prefixes: [...filter.types] });
  const streams = (filter?.streamPrefixes ?? ['']).map((name) => streamPrefix + name);
  if (streams.some((name) => name === '')) return excludeSystemEvents(options);
  return streamNameFilter({ ...options, prefixes: streams });
}
