import type { DocumentTransaction } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Change, OwnDocuments, Projection } from '../../src/platform/read-models/projection.js';
import { type BatchCollection, PendingChanges } from './pending-changes.js';
import { ReadDocuments } from './read-documents.js';
import { isWithin, sizeOfAll, sumOf, type WriteSize } from './write-size.js';

/** Events whose documents are read ahead together. */
const READ_AHEAD = 5000;

const UNBOUNDED: WriteSize = { documents: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Changes of consecutive events. */
export interface Part {
  /** The changes, in one transaction; of the last event alone, if that is too large for one. */
  readonly changes: PendingChanges | LargeEvent;
  readonly last: Recorded;
}

/** An event whose changes are more than one transaction may write. */
export class LargeEvent {
  constructor(
    readonly event: Recorded,
    readonly changes: readonly Change[],
  ) {}
}

type Reads = { collection(name: string): BatchCollection };

/**
 * Works out the changes of a batch part by part: a part is as long as one transaction may write. Types that the
 * projection does not handle are passed over.
 */
export class EventsInParts {
  private at = 0;
  /** Changes of the next event: they did not fit into the part before. */
  private left: readonly Change[] | null = null;
  /** The documents of the events before this one have been read ahead. */
  private readUntil = 0;

  /** @param read documents that earlier batches have read from the same database */
  constructor(
    private readonly projection: Projection,
    private readonly events: readonly Recorded[],
    private readonly read = new ReadDocuments(),
    private readonly most = UNBOUNDED,
  ) {}

  get isDone(): boolean {
    return this.at >= this.events.length;
  }

  /**
   * A change that a later event must read from the store is written at once, the others are left pending.
   * @param documents with the changes of all earlier parts
   */
  async next(documents: Reads): Promise<Part> {
    const { projection, events, most } = this;
    const pending = new PendingChanges(documents, projection.collections, this.read);
    if (this.at >= this.readUntil) await this.readAhead(pending);
    for (let event = events[this.at]; event; event = events[this.at]) {
      const found = this.left ?? changesOf(projection, event, pending);
      const changes = isPromise(found) ? await found : found;
      this.left = null;
      const size = sizeOfAll(changes, projection.collections);
      if (!isWithin(sumOf(pending.size, size), most)) {
        if (pending.touched) {
          this.left = changes;
          break;
        }
        if (!isWithin(size, most)) {
          this.at++;
          return { changes: new LargeEvent(event, changes), last: event };
        }
      }
      pending.add(changes);
      this.at++;
    }
    const last = events[this.at - 1];
    if (!last) throw new Error('a batch has events');
    return { changes: pending, last };
  }

  private async readAhead(pending: PendingChanges): Promise<void> {
    const { prefetch = {} } = this.projection;
    this.readUntil = this.at + READ_AHEAD;
    const ahead = this.events.slice(this.at, this.readUntil);
    await pending.readAhead(ahead.flatMap((event) => prefetch[event.type]?.(event) ?? []));
  }
}

/** Applies events in order, within a transaction. */
export async function applyEvents(
  projection: Projection,
  transaction: DocumentTransaction,
  events: readonly Recorded[],
): Promise<void> {
  const parts = new EventsInParts(projection, events);
  while (!parts.isDone) {
    const { changes } = await parts.next(transaction);
    if (changes instanceof PendingChanges) await transaction.writeAll(changes.drain());
  }
}

/** No changes if the projection does not handle the event. */
function changesOf(
  { on }: Projection,
  event: Recorded,
  documents: OwnDocuments,
): readonly Change[] | Promise<readonly Change[]> {
  return on[event.type]?.(event, documents) ?? [];
}

function isPromise(changes: readonly Change[] | Promise<readonly Change[]>): changes is Promise<readonly Change[]> {
  return 'then' in changes;
}
