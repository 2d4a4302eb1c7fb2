import { setImmediate } from 'node:timers/promises';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Collection } from '../../document-store/document-store.js';
import { type Direction, filterWithin, type Window, windowsToRead } from './lane-filters.js';
import type { MessageView } from './message-view.js';

export type Messages = Pick<Collection<MessageDocument>, 'find' | 'findOne'>;

export interface Scan {
  readonly window: Window;
  readonly direction: Direction;
  readonly limit: number;
}

/** Where candidates are refused, they are fetched in growing batches up to this. */
const MAX_BATCH = 1000;

/** The first messages of the view in the window, in the direction's order. */
export async function scanMessages(
  messages: Messages,
  view: MessageView,
  { window, direction, limit }: Scan,
): Promise<MessageDocument[]> {
  const found: MessageDocument[] = [];
  for (const part of windowsToRead(view, window, direction)) {
    let rest: Window = part;
    for (let batch = limit; found.length < limit; batch = Math.min(MAX_BATCH, Math.max(batch * 2, 64))) {
      const filter = filterWithin(view, rest);
      if (!filter) break;
      const candidates = await messages.find(filter, { sort: { sentPosition: direction }, limit: batch });
      for (const message of candidates) if (found.length < limit && view.includes(message)) found.push(message);
      const last = candidates.at(-1);
      if (!last || candidates.length < batch) break;
      rest = direction === 1 ? { ...rest, from: last.sentPosition } : { ...rest, to: last.sentPosition };
      await setImmediate();
    }
  }
  return found;
}
