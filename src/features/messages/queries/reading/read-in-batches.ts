import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import { nextSlice } from '../../../../platform/kernel/slices.js';
import { contentLength } from '../records/edit-history.js';
import { WITHOUT_PAST } from '../records/past-contents.js';
import type { Direction } from './index-scan-filters.js';
import type { Messages } from './messages-for.js';

/** Messages that are read at once before any size is known: a page of a hundred, and one that tells whether there are more. */
const FIRST = 101;
const MOST = 250;
/** Characters of content that are read at once: more take longer than others should wait. */
const CONTENT = 1024 ** 2;

/** The number of messages to read at once: the longer the last ones were, the fewer. */
export class BatchSize {
  private most = FIRST;

  /** @param wanted greatest number that is of use; at least 1 */
  within(wanted: number): number {
    return Math.min(this.most, wanted);
  }

  /** The number of messages to look at for some that are wanted: only the lengths of those found are known. */
  get toLookAt(): number {
    return this.most < FIRST ? this.most : MOST;
  }

  learn(read: readonly MessageDocument[]): void {
    if (read.length === 0) return;
    const length = read.reduce((sum, message) => sum + contentLength(message), 0);
    const most = Math.floor((CONTENT * read.length) / Math.max(1, length));
    this.most = Math.max(1, Math.min(MOST, most));
  }
}

/**
 * Existing messages without their past contents, some at a time, with a turn of the event loop for others in between.
 * @param ids in the direction's order, each once
 */
export async function* readByIds(
  messages: Messages,
  ids: readonly number[],
  direction: Direction,
): AsyncGenerator<readonly MessageDocument[], void> {
  const batch = new BatchSize();
  for (let at = 0; at < ids.length; ) {
    if (at > 0) await nextSlice();
    const $in = ids.slice(at, at + batch.within(ids.length));
    const found = await messages.find({ _id: { $in } }, { sort: { _id: direction }, projection: WITHOUT_PAST });
    batch.learn(found);
    at += $in.length;
    yield found;
  }
}
