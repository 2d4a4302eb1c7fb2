import { type Position, START } from '../../platform/kernel/position.js';
import type { EventFilter, EventStore, StoredEvent } from '../../platform/log/event-store.js';

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
