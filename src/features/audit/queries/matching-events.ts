import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { HOURS, type HourDocument, hourOf } from '../../../../projections/audit/hours.js';
import { MAX_POSITION, type Position, START } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import type { AuditDocuments } from './audit-documents.js';
import type { AuditCondition, AuditConditions, AuditOrder, AuditQuestion } from './audit-question.js';

export interface AuditPage {
  readonly order: AuditOrder;
  readonly limit: number;
  /** The cursor of the page before. */
  readonly after: Position | null;
  /** Later events are left out; absent: there is no last one. */
  readonly upTo?: Position;
}

export interface MatchingEvents {
  readonly found: readonly AuditDocument[];
  /** Where to look on; null: there are no more. */
  readonly next: Position | null;
}

/** Positions, both exclusive. */
interface Window {
  readonly from: Position;
  readonly to: Position;
}

const LEAST_BATCH = 64;
const LARGEST_BATCH = 512;
/** A page ends after so many events that do not match all conditions. */
const MOST_LOOKED_AT = 12_000;
/** Events that tell which condition is met least often. */
const PROBE = 512;
/** Events that meet the rarest condition, and that the engine tests for the others at once. */
const PART = 4000;

type TimeSpan = Pick<AuditQuestion, 'from' | 'to'>;

export async function matchingEvents(
  conditions: AuditConditions,
  times: TimeSpan,
  page: AuditPage,
  documents: AuditDocuments,
): Promise<MatchingEvents> {
  const window = within(await windowOf(times, documents), page);
  const scan = new Scan(conditions, times, page, documents);
  return window.to - window.from > 1 ? scan.run(window) : { found: [], next: null };
}

class Scan {
  private readonly direction: 1 | -1;

  constructor(
    private readonly conditions: AuditConditions,
    private readonly times: TimeSpan,
    private readonly page: AuditPage,
    private readonly documents: AuditDocuments,
  ) {
    this.direction = page.order === 'oldest' ? 1 : -1;
  }

  async run(window: Window): Promise<MatchingEvents> {
    const { limit } = this.page;
    const [rarest, ...others] = await this.rarestFirst(window);
    const found: AuditDocument[] = [];
    let rest = window;
    for (let lookedAt = 0, batch = limit + 1; lookedAt < MOST_LOOKED_AT; batch = Math.max(LEAST_BATCH, batch * 2)) {
      const size = Math.min(batch, LARGEST_BATCH);
      const part = rarest && others.length > 0 ? await this.nearest(rarest, rest) : rest;
      const candidates = await this.find(rarest, others, part, size);
      for (const document of await this.matching(candidates)) {
        if (found.length === limit) return { found, next: found.at(-1)?._id ?? null };
        found.push(document);
      }
      const last = candidates.at(-1);
      if (last && candidates.length === size) {
        lookedAt += size;
        rest = this.behind(last._id, rest);
      } else if (part === rest) return { found, next: null };
      else {
        lookedAt += PART;
        rest = this.behind(this.direction === 1 ? part.to - 1 : part.from + 1, rest);
      }
      // Lets other requests run during a long search.
      await nextSlice();
    }
    return { found, next: this.direction === 1 ? rest.from : rest.to };
  }

  /** The condition whose next events reach farthest, and so are the fewest, comes first. */
  private async rarestFirst(window: Window): Promise<readonly AuditCondition[]> {
    const { indexed } = this.conditions;
    if (indexed.length < 2) return indexed;
    const probed: { readonly condition: AuditCondition; readonly reach: number }[] = [];
    for (const condition of indexed) {
      const position = await this.positionOf(condition, PROBE, window);
      probed.push({ condition, reach: position === null ? Infinity : position * this.direction });
    }
    return probed.sort((a, b) => (a.reach === b.reach ? 0 : b.reach - a.reach)).map(({ condition }) => condition);
  }

  /** The part of the window with the next PART events that meet the condition; the window itself if it has no more. */
  private async nearest(condition: AuditCondition, window: Window): Promise<Window> {
    const end = await this.positionOf(condition, PART, window);
    if (end === null) return window;
    return this.direction === 1 ? { ...window, to: end } : { ...window, from: end };
  }

  /** The position of the event that meets the condition behind so many others; null: there is none. */
  private async positionOf(condition: AuditCondition, skip: number, { from, to }: Window): Promise<Position | null> {
    const filter = condition.filter({ $gt: from, $lt: to });
    const options = { sort: { _id: this.direction }, skip, limit: 1, projection: { _id: 1 } } as const;
    const [event] = await this.documents.events.find(filter, options);
    return event?._id ?? null;
  }

  private find(
    rarest: AuditCondition | undefined,
    others: readonly AuditCondition[],
    window: Window,
    limit: number,
  ): Promise<AuditDocument[]> {
    const _id = { $gt: window.from, $lt: window.to };
    const options = { sort: { _id: this.direction }, limit };
    if (!rarest) return this.documents.events.find({ _id }, options);
    if (others.length === 0) return this.documents.events.find(rarest.filter(_id), options);
    const all = { $and: [rarest, ...others].map(({ filter }) => filter(_id)) };
    return this.documents.events.find(all, rarest.index ? { ...options, hint: rarest.index } : options);
  }

  private behind(position: Position, window: Window): Window {
    return this.direction === 1 ? { ...window, from: position } : { ...window, to: position };
  }

  private async matching(candidates: readonly AuditDocument[]): Promise<readonly AuditDocument[]> {
    const documents = candidates.filter((document) => this.isInTime(document));
    return this.conditions.inLog ? this.conditions.inLog(documents) : documents;
  }

  private isInTime(document: AuditDocument): boolean {
    const { from, to } = this.times;
    if (from !== null && document.at < from) return false;
    return to === null || document.at <= to;
  }
}

function within({ from, to }: Window, { order, after, upTo = MAX_POSITION }: AuditPage): Window {
  const end = Math.min(to, upTo + 1);
  if (after === null) return { from, to: end };
  return order === 'oldest' ? { from: Math.max(from, after), to: end } : { from, to: Math.min(end, after) };
}

/** The part of the log with all events of the time span, and with few others. */
async function windowOf({ from, to }: TimeSpan, documents: AuditDocuments): Promise<Window> {
  if (from === null && to === null) return { from: START, to: MAX_POSITION };
  const hours = documents.collection<HourDocument>(HOURS);
  const hour = { $gte: from === null ? 0 : hourOf(from), $lte: to === null ? Number.MAX_SAFE_INTEGER : hourOf(to) };
  const parts = await hours.find({ hour }, { projection: { _id: 1 } });
  if (parts.length === 0) return { from: START, to: START };
  const begins = parts.map(({ _id }) => _id);
  const last = begins.reduce((a, b) => Math.max(a, b));
  const [next] = await hours.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: 1 });
  return { from: begins.reduce((a, b) => Math.min(a, b)) - 1, to: next?._id ?? MAX_POSITION };
}
