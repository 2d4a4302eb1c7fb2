import { setImmediate } from 'node:timers/promises';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Collection, Filter } from '../../document-store/document-store.js';
import type { Position } from '../../kernel/position.js';
import { type Direction, filterWithin, type Window, windowsToRead, within } from './lane-filters.js';
import type { MessageView } from './message-view.js';

export type Messages = Pick<Collection<MessageDocument>, 'find' | 'findOne' | 'countDocuments'>;

export interface Scan {
  readonly window: Window;
  readonly direction: Direction;
  readonly limit: number;
}

/** Above so many lanes, finding where each begins costs more than a look at all messages nearby. */
const MANY_LANES = 100;

/** A look at all messages goes on while one in so many is of the view. */
const WORTH_A_LOOK = 4;

/** Below so many messages, finding where to go on costs more than a look at those in between. */
const WORTH_A_LEAP = 256;

const MIN_BATCH = 64;
const MAX_BATCH = 1000;

/** The first messages of the view in the window, in the direction's order. */
export async function scanMessages(messages: Messages, view: MessageView, scan: Scan): Promise<MessageDocument[]> {
  const search = new Search(messages, view, scan);
  let rest: Window | null = scan.window;
  if (view.lanes.length > MANY_LANES) rest = await search.lookAtAll(rest);
  for (const window of rest ? windowsToRead(view, rest, scan.direction) : []) await search.followLanes(window);
  return search.found;
}

class Search {
  readonly found: MessageDocument[] = [];

  constructor(
    private readonly messages: Messages,
    private readonly view: MessageView,
    private readonly scan: Scan,
  ) {}

  /** Whoever reads most channels finds a page among the neighbours. @returns what is left to search; null: nothing */
  async lookAtAll(window: Window): Promise<Window | null> {
    let rest: Window | null = window;
    while (rest && this.missing > 0) {
      const before: number = this.found.length;
      const batch = Math.min(MAX_BATCH, Math.max(MIN_BATCH, this.missing * 2));
      rest = await this.take({ ...this.words, [this.view.order]: within(rest) }, rest, batch);
      if ((this.found.length - before) * WORTH_A_LOOK < batch) return rest;
    }
    return null;
  }

  /** In growing batches where candidates are refused. */
  async followLanes(window: Window): Promise<void> {
    let rest: Window | null = window;
    for (
      let batch = this.missing;
      rest && this.missing > 0;
      batch = Math.min(MAX_BATCH, Math.max(MIN_BATCH, batch * 2))
    ) {
      const filter = filterWithin(this.view, rest);
      rest = filter && (await this.take(filter, rest, batch));
    }
  }

  private get words(): Filter<MessageDocument> {
    const { $text } = this.view.where;
    return $text ? { $text } : {};
  }

  private get missing(): number {
    return this.scan.limit - this.found.length;
  }

  /** @returns the window behind the last candidate; null where there are no more */
  private async take(filter: Filter<MessageDocument>, window: Window, batch: number): Promise<Window | null> {
    const { direction } = this.scan;
    const candidates = await this.messages.find(filter, { sort: { [this.view.order]: direction }, limit: batch });
    for (const message of candidates) if (this.missing > 0 && this.view.includes(message)) this.found.push(message);
    const last = candidates.at(-1);
    if (!last || candidates.length < batch) return null;
    if (this.missing === 0) return null;
    // A long search lets others have their turn.
    await setImmediate();
    const edge = await this.edgeAfter(last, direction);
    if (edge === null) return null;
    return direction === 1 ? { ...window, from: edge } : { ...window, to: edge };
  }

  private idBefore(id: number | null): number | null {
    return id === null ? null : id - this.scan.direction;
  }

  /** Where the next message that may be of the view stands, or just before; null where there is none that way. */
  private async edgeAfter(last: MessageDocument, direction: Direction): Promise<Position | null> {
    const { passOver, order } = this.view;
    if (order === '_id') return passOver ? this.idBefore(passOver(last._id + direction, direction)) : last._id;
    const id = passOver ? passOver(last._id + direction, direction) : last._id;
    if (id === null) return null;
    if (Math.abs(id - last._id) < WORTH_A_LEAP) return last.sentPosition;
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
