import { type Position, START } from '../../platform/kernel/position.js';
import { type EventFilter, type EventStore, passes, type StoredEvent } from '../../platform/log/event-store.js';

const PAGE = 512;

interface PageOptions {
  readonly filter?: EventFilter;
  readonly signal?: AbortSignal;
  readonly after?: Position;
}

type Log = Pick<EventStore, 'readAll'>;

/** Reads a log up to a head that was read before, without later events. @param options.after default: from its first event */
export async function* pagesUpTo(
  log: Log,
  head: Position,
  { filter, signal, after: start = START }: PageOptions = {},
): AsyncGenerator<readonly StoredEvent[]> {
  let after = start;
  while (after < head && !signal?.aborted) {
    const { events, position, caughtUp } = await log.readAll({ after, limit: PAGE, ...(filter && { filter }) });
    const wanted = events.filter((event) => event.position <= head);
    if (wanted.length > 0) yield wanted;
    if (caughtUp) return;
    after = position;
  }
}

/** Reads a log like `pagesUpTo`, event by event. */
export class LogCursor {
  private readonly pages: AsyncGenerator<readonly StoredEvent[]>;
  private page: readonly StoredEvent[] = [];
  private index = 0;

  constructor(log: Log, head: Position) {
    this.pages = pagesUpTo(log, head);
  }

  /** Reads the next event; undefined at the end, and ever after. */
  async next(): Promise<StoredEvent | undefined> {
    if (this.index === this.page.length) {
      const { value, done } = await this.pages.next();
      this.page = done ? [] : value;
      this.index = 0;
    }
    const event = this.page[this.index];
    if (event) this.index += 1;
    return event;
  }
}

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
