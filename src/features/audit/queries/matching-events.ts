import { setImmediate } from 'node:timers/promises';
import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { HOURS, type HourDocument, hourOf } from '../../../../projections/audit/hours.js';
import { MAX_POSITION, type Position, START } from '../../../platform/kernel/position.js';
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
const MOST_LOOKED_AT = 20_000;
/** Events that tell which condition is met least often. */
const PROBE = 128;

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
    const rarest = await this.rarest(window);
    const found: AuditDocument[] = [];
    let rest = window;
    for (let lookedAt = 0, batch = limit + 1; lookedAt < MOST_LOOKED_AT; batch = Math.max(LEAST_BATCH, batch * 2)) {
      const size = Math.min(batch, LARGEST_BATCH);
      const candidates = await this.find(rarest, rest, size);
      for (const document of await this.matching(candidates)) {
        if (found.length === limit) return { found, next: found.at(-1)?._id ?? null };
        found.push(document);
      }
      const last = candidates.at(-1);
      if (!last || candidates.length < size) return { found, next: null };
      lookedAt += candidates.length;
      rest = this.direction === 1 ? { ...rest, from: last._id } : { ...rest, to: last._id };
      // Lets other requests run during a long search.
      await setImmediate();
    }
    return { found, next: this.direction === 1 ? rest.from : rest.to };
  }

  /** The condition whose next events reach farthest, and so are the fewest; undefined: there is none. */
  private async rarest(window: Window): Promise<AuditCondition | undefined> {
    const { indexed } = this.conditions;
    if (indexed.length < 2) return indexed[0];
    let best: { readonly condition: AuditCondition; readonly reach: number } | undefined;
    for (const condition of indexed) {
      const next = await this.find(condition, window, PROBE);
      const [first, last] = [next[0], next.at(-1)];
      if (!first || !last || next.length < PROBE) return condition;
      const reach = Math.abs(last._id - first._id);
      if (!best || reach > best.reach) best = { condition, reach };
    }
    return best?.condition;
  }

  private find(condition: AuditCondition | undefined, { from, to }: Window, limit: number): Promise<AuditDocument[]> {
    const _id = { $gt: from, $lt: to };
    return this.documents.events.find(condition ? condition.filter(_id) : { _id }, {
      sort: { _id: this.direction },
      limit,
    });
  }

  private async matching(candidates: readonly AuditDocument[]): Promise<readonly AuditDocument[]> {
    const documents = candidates.filter((document) => this.matches(document));
    return this.conditions.inLog ? this.conditions.inLog(documents) : documents;
  }

  private matches(document: AuditDocument): boolean {
    const { from, to } = this.times;
    if (from !== null && document.at < from) return false;
    if (to !== null && document.at > to) return false;
    return this.conditions.indexed.every(({ holds }) => holds(document));
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
