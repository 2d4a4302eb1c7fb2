import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import type { Position } from '../../../platform/kernel/position.js';

/** How many events there are, by time. */
export interface AuditActivity {
  /** The oldest first; each has at least one event. */
  readonly parts: readonly { readonly time: string; readonly events: number }[];
  /** The parameter `after` of the next answer; null: all are counted. */
  readonly cursor: Position | null;
}

/** Counts events by parts of time, each of so many seconds and beginning at a multiple of them. */
export class Activity {
  private readonly counts = new Map<number, number>();
  private readonly widthMs: number;

  constructor(seconds: number) {
    this.widthMs = seconds * 1000;
  }

  count(events: readonly Pick<AuditDocument, 'at'>[]): void {
    for (const { at } of events) {
      const begin = Math.floor(at / this.widthMs) * this.widthMs;
      this.counts.set(begin, (this.counts.get(begin) ?? 0) + 1);
    }
  }

  answer(cursor: Position | null): AuditActivity {
    const parts = [...this.counts].sort(([one], [other]) => one - other);
    return { parts: parts.map(([begin, events]) => ({ time: new Date(begin).toISOString(), events })), cursor };
  }
}
