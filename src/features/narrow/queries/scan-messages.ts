import { setImmediate } from 'node:timers/promises';
import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Filter } from '../../../platform/documents/document-store.js';
import type { Position } from '../../../platform/kernel/position.js';
import { type Direction, filterWithin, type Window, windowsToRead, within } from './index-scan-filters.js';
import type { MessageView } from './message-view.js';
import type { Messages } from './messages-for.js';
import { WITHOUT_PAST, withShownPast } from './past-contents.js';
import { BatchSize } from './read-in-batches.js';

/** Ends a search early. */
export interface ScanLimit {
  /** Called with each message of the view in turn. false: the search ends before this message. */
  admits(message: MessageDocument): boolean;
}

export interface Scan {
  readonly window: Window;
  readonly direction: Direction;
  readonly limit: number;
  /** Absent: only the number is limited. */
  readonly until?: ScanLimit;
  /** The part of a message that is kept; absent: all of it. */
  readonly retained?: ((message: MessageDocument) => MessageDocument) | undefined;
}

/** Above this number of scans, finding where each begins costs more than reading all messages nearby. */
const MANY_SCANS = 100;

/** Reading all messages goes on while one in this many is in the view. */
const MIN_SHARE = 4;

/** Below this number of messages, finding where to continue costs more than reading those in between. */
const MIN_SKIP = 256;

const MIN_BATCH = 64;

/** The first messages of the view in the window, in order of the direction. */
export async function scanMessages(messages: Messages, view: MessageView, scan: Scan): Promise<MessageDocument[]> {
  const search = new Search(messages, view, scan);
  let rest: Window | null = scan.window;
  if (view.scans.length > MANY_SCANS) rest = await search.scanAll(rest);
  for (const window of rest ? windowsToRead(view, rest, scan.direction) : []) await search.followScans(window);
  return search.found;
}

class Search {
  readonly found: MessageDocument[] = [];
  private isEnded = false;
  private readonly size = new BatchSize();

  constructor(
    private readonly messages: Messages,
    private readonly view: MessageView,
    private readonly scan: Scan,
  ) {}

  /**
   * Reads all messages of the window: a reader of most channels finds a page among neighbours.
   * @returns the window left to search; null: none
   */
  async scanAll(window: Window): Promise<Window | null> {
    let rest: Window | null = window;
    while (rest && this.missing > 0) {
      const before: number = this.found.length;
      const batch = this.size.within(Math.max(MIN_BATCH, this.missing * 2));
      rest = await this.take({ ...this.textSearch, [this.view.order]: within(rest) }, rest, batch);
      if ((this.found.length - before) * MIN_SHARE < batch) return rest;
    }
    return null;
  }

  /** Reads the messages that the view's scans list, in growing batches if candidates are refused. */
  async followScans(window: Window): Promise<void> {
    let rest: Window | null = window;
    for (let wanted = this.missing; rest && this.missing > 0; wanted = Math.max(MIN_BATCH, wanted * 2)) {
      const filter = filterWithin(this.view, rest);
      rest = filter && (await this.take(filter, rest, this.size.within(wanted)));
    }
  }

  private get textSearch(): Filter<MessageDocument> {
    const { $text } = this.view.where;
    return $text ? { $text } : {};
  }

  private get missing(): number {
    return this.isEnded ? 0 : this.scan.limit - this.found.length;
  }

  /** @returns the window after the last candidate; null if there are no more */
  private async take(filter: Filter<MessageDocument>, window: Window, batch: number): Promise<Window | null> {
    const { direction, retained = (message: MessageDocument) => message } = this.scan;
    const candidates = await this.messages.find(filter, {
      sort: { [this.view.order]: direction },
      limit: batch,
      projection: WITHOUT_PAST,
    });
    this.size.learn(candidates);
    const included = candidates.filter((message) => this.view.includes(message)).slice(0, this.missing);
    for (const message of this.scan.retained ? included : await withShownPast(this.messages, included)) {
      if (this.missing === 0) break;
      if (this.scan.until?.admits(message) === false) this.isEnded = true;
      else this.found.push(retained(message));
    }
    const last = candidates.at(-1);
    if (!last || candidates.length < batch) return null;
    if (this.missing === 0) return null;
    // Lets other requests run during a long search.
    await setImmediate();
    const edge = await this.edgeAfter(last, direction);
    if (edge === null) return null;
    return direction === 1 ? { ...window, from: edge } : { ...window, to: edge };
  }

  private idBefore(id: number | null): number | null {
    return id === null ? null : id - this.scan.direction;
  }

  /** A value of the ordering field just before the next message that may be in the view; null if there is none. */
  private async edgeAfter(last: MessageDocument, direction: Direction): Promise<Position | null> {
    const { nextCandidate, order } = this.view;
    if (order === '_id')
      return nextCandidate ? this.idBefore(nextCandidate(last._id + direction, direction)) : last._id;
    const id = nextCandidate ? nextCandidate(last._id + direction, direction) : last._id;
    if (id === null) return null;
    if (Math.abs(id - last._id) < MIN_SKIP) return last.sentPosition;
    const [next] =
      direction === 1
        ? await this.messages.find(
            { _id: { $gte: id } },
            { sort: { _id: 1 }, limit: 1, projection: { sentPosition: 1 } },
          )
        : await this.messages.find(
            { _id: { $lte: id } },
            { sort: { _id: -1 }, limit: 1, projection: { sentPosition: 1 } },
          );
    return next ? next.sentPosition - direction : null;
  }
}
