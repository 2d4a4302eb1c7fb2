import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { Filter } from '../../../../platform/documents/document-store.js';
import type { Position } from '../../../../platform/kernel/position.js';
import { nextSlice } from '../../../../platform/kernel/slices.js';
import { WITHOUT_PAST, withShownPast } from '../records/past-contents.js';
import { type Direction, filterWithin, type Window, windowsToRead, within } from './index-scan-filters.js';
import { isOfIds, type MessageView } from './message-view.js';
import type { Messages } from './messages-for.js';
import { BatchSize } from './read-in-batches.js';
import { areAllServed, listedBySender, servedConditions } from './served-conditions.js';

/** Ends a search early. */
export interface ScanLimit {
  /** Called with each message of the view in turn. false: the search ends before this message. */
  admits(message: MessageDocument): boolean;
}

interface Scan {
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

/** Greatest number of messages that an index finds at once before they are looked at. */
const MOST_KEYS = 2048;

/** The first messages of the view in the window, in order of the direction. */
export async function scanMessages(messages: Messages, view: MessageView, scan: Scan): Promise<MessageDocument[]> {
  const search = new Search(messages, view, scan);
  let rest: Window | null = scan.window;
  if (view.scans.length > MANY_SCANS) rest = await search.scanAll(rest);
  if (rest && isOfIds(view.scans)) await search.lookAtIds(rest);
  else for (const window of rest ? windowsToRead(view, rest, scan.direction) : []) await search.followScans(window);
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

  /** Looks at the messages that the view lists by their ids. */
  async lookAtIds({ from, to }: Window): Promise<void> {
    const { direction } = this.scan;
    const ids = this.view.scans.map(({ value }) => Number(value)).filter((id) => id > from && (to === null || id < to));
    await this.lookAt(ids.sort((a, b) => (a - b) * direction));
  }

  /** Reads the messages that the view's scans list, in growing batches if candidates are refused. */
  async followScans(window: Window): Promise<void> {
    if (!areAllServed(this.view)) return this.lookThrough(window);
    let rest: Window | null = window;
    for (let wanted = this.missing; rest && this.missing > 0; wanted = Math.max(MIN_BATCH, wanted * 2)) {
      const filter = filterWithin(this.view, rest);
      rest = filter && (await this.take(filter, rest, this.size.within(wanted)));
    }
  }

  /** Finds ids by indexes alone, and looks at the messages: no step reads more than some, however few are in the view. */
  private async lookThrough(window: Window): Promise<void> {
    const { direction } = this.scan;
    const view = listedBySender(this.view);
    let rest: Window | null = window;
    let wanted = Math.min(this.missing, MOST_KEYS);
    for (; rest && this.missing > 0; wanted = Math.min(Math.max(MIN_BATCH, wanted * 2), MOST_KEYS)) {
      const filter = filterWithin(view, rest, (field) => servedConditions(view, field));
      if (!filter) return;
      const keys: MessageDocument[] = await this.messages.find(filter, {
        sort: { [view.order]: direction },
        limit: wanted,
        projection: { sentPosition: 1 },
      });
      await this.lookAt(keys.map(({ _id }) => _id));
      const last = keys.at(-1);
      rest = !last || keys.length < wanted || this.missing === 0 ? null : await this.windowAfter(last, rest);
    }
  }

  /** @param ids in the direction's order */
  private async lookAt(ids: readonly number[]): Promise<void> {
    const { $text: _, ...where } = this.view.where;
    for (let at = 0; at < ids.length && this.missing > 0; ) {
      const $in = ids.slice(at, at + this.size.toLookAt);
      const limit = this.size.within(Math.max(MIN_BATCH, this.missing));
      const found = await this.messages.find(
        { ...where, _id: { $in } },
        { sort: { _id: this.scan.direction }, limit, projection: WITHOUT_PAST },
      );
      await this.accept(found);
      const last = found.at(-1);
      at += last && found.length === limit ? $in.indexOf(last._id) + 1 : $in.length;
      // Lets other requests run during a long search.
      await nextSlice();
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
    const { direction } = this.scan;
    const candidates = await this.messages.find(filter, {
      sort: { [this.view.order]: direction },
      limit: batch,
      projection: WITHOUT_PAST,
    });
    await this.accept(candidates);
    const last = candidates.at(-1);
    if (!last || candidates.length < batch) return null;
    if (this.missing === 0) return null;
    // Lets other requests run during a long search.
    await nextSlice();
    return this.windowAfter(last, window);
  }

  private async accept(candidates: readonly MessageDocument[]): Promise<void> {
    this.size.learn(candidates);
    const { retained = (message: MessageDocument) => message } = this.scan;
    const included = candidates.filter((message) => this.view.includes(message)).slice(0, this.missing);
    for (const message of this.scan.retained ? included : await withShownPast(this.messages, included)) {
      if (this.missing === 0) break;
      if (this.scan.until?.admits(message) === false) this.isEnded = true;
      else this.found.push(retained(message));
    }
  }

  /** The part of the window after a message; null if nothing of the view can be there. */
  private async windowAfter(last: MessageDocument, window: Window): Promise<Window | null> {
    const { direction } = this.scan;
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
