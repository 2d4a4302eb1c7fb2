import type { EventStore, StoredEvent } from '../event-store/event-store.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

/** Events read at once. */
const PAGE = 1000;

/** What has followed from a decision already (D17), as the log has it. */
export class FollowedEvents {
  constructor(private readonly eventStore: EventStore) {}

  /**
   * The first of some events that is in their stream. An engine that remembers ids need not be asked at first: it knows
   * them at the append, unless others follow now than did then, which is a conflict.
   */
  async firstOf(
    ids: readonly (string | undefined)[],
    stream: string,
    after: Position,
    isAgain: boolean,
  ): Promise<StoredEvent | undefined> {
    if (!isAgain && this.eventStore.idMemory === 'for ever') return undefined;
    return this.find(ids, stream, after);
  }

  /** @returns the first of them in streams that begin so */
  async find(
    ids: readonly (string | undefined)[],
    streamPrefix: string,
    after: Position,
  ): Promise<StoredEvent | undefined> {
    for await (const event of this.eventsAfter(after, streamPrefix)) if (ids.includes(event.id)) return event;
    return undefined;
  }

  /** Where the engine remembers ids for ever, nobody needs to know. */
  async idsFrom(cause: Recorded, streamPrefix: string): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    if (this.eventStore.idMemory === 'for ever') return ids;
    for await (const { id, metadata } of this.eventsAfter(cause.position, streamPrefix))
      if (metadata.causationId === cause.id) ids.add(id);
    return ids;
  }

  private async *eventsAfter(position: Position, streamPrefix: string): AsyncGenerator<StoredEvent, void> {
    for (let after = position; ; ) {
      const page = await this.eventStore.readAll({ after, limit: PAGE, filter: { streamPrefixes: [streamPrefix] } });
      yield* page.events;
      if (page.caughtUp) return;
      after = page.position;
    }
  }
}
