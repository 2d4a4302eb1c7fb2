import { type Position, START } from '../../platform/kernel/position.js';
import { passes } from '../../platform/log/event-filter.js';
import type { EventFilter, EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { pagesUpTo } from './log-cursor.js';

const PAGE = 512;

interface Wanted {
  readonly filter: EventFilter;
  readonly isWanted: (event: StoredEvent) => boolean;
}

/**
 * Reads the newest wanted events, in log order. An engine that finds events by position is read backwards, until there are
 * enough; another one from the log's beginning.
 */
export async function newestEvents(
  log: Pick<EventStore, 'readAll' | 'readAt' | 'head'>,
  count: number,
  { filter, isWanted }: Wanted,
): Promise<readonly StoredEvent[]> {
  const head = await log.head();
  const isFound = (event: StoredEvent): boolean => passes(event, filter) && isWanted(event);
  const found: StoredEvent[] = [];
  if (!log.readAt) {
    for await (const events of pagesUpTo(log, head, { filter })) {
      found.push(...events.filter(isFound));
      if (found.length > 2 * count) found.splice(0, found.length - count);
    }
    return found.slice(-count);
  }
  for (let to = head; to > START && found.length < count; to -= PAGE) {
    const page = await log.readAt(positionsUpTo(to));
    found.push(...page.filter(isFound).toSorted((a, b) => b.position - a.position));
  }
  return found.slice(0, count).toReversed();
}

const positionsUpTo = (to: Position): Position[] =>
  Array.from({ length: Math.min(PAGE, to - START) }, (_, at) => to - at);
