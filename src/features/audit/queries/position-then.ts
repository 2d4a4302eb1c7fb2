import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { HOURS, type HourDocument, hourOf } from '../../../../projections/audit/hours.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import type { AuditDocuments } from './audit-documents.js';

const AT_ONCE = 1000;

/**
 * The position of the newest event that is not later than a time; START: there is none. The log is not in order of time,
 * so events before it may be later.
 *
 * @param at milliseconds since 1970
 * @param head the newest position that may be answered
 */
export async function positionAt(at: number, head: Position, documents: AuditDocuments): Promise<Position> {
  const hours = documents.collection<HourDocument>(HOURS);
  for (let before = head + 1; ; ) {
    const early = { hour: { $lte: hourOf(at) }, _id: { $lt: before } };
    const [part] = await hours.find(early, { sort: { _id: -1 }, limit: 1 });
    if (!part) return START;
    const [next] = await hours.find({ _id: { $gt: part._id } }, { sort: { _id: 1 }, limit: 1 });
    const end = Math.min(next?._id ?? before, before);
    const found = await newestNotAfter(at, { from: part._id, before: end }, documents);
    if (found !== null) return found;
    before = part._id;
  }
}

async function newestNotAfter(
  at: number,
  window: { readonly from: Position; readonly before: Position },
  documents: AuditDocuments,
): Promise<Position | null> {
  const options = { sort: { _id: -1 }, limit: AT_ONCE, projection: { _id: 1, at: 1 } } as const;
  for (let { before } = window; ; ) {
    const some: Pick<AuditDocument, '_id' | 'at'>[] = await documents.events.find(
      { _id: { $gte: window.from, $lt: before } },
      options,
    );
    const found = some.find((event) => event.at <= at);
    const last = some.at(-1);
    if (found || !last || some.length < AT_ONCE) return found?._id ?? null;
    before = last._id;
    await nextSlice();
  }
}
