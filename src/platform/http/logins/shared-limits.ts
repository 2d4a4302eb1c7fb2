import { Logger } from '@nestjs/common';
import type { DocumentStore } from '../../documents/document-store.js';
import { refuse } from '../../kernel/deciding.js';
import { HOUR_MS, MINUTE_MS } from '../../kernel/durations.js';
import { type Counted, SharedCounts } from './shared-counts.js';

/** The most attempts with a name, or points of them, in a window of time. */
export interface Limited extends Counted {
  readonly most: number;
}

/** @param name names the limit and whom it concerns */
export const inMinute = (name: string, most: number): Limited => ({ name, most, windowMs: MINUTE_MS });
export const inHour = (name: string, most: number): Limited => ({ name, most, windowMs: HOUR_MS });

/**
 * Limits over all processes and across restarts, in minutes and hours of the clock. Without documents, each counts alone.
 */
export class SharedLimits {
  private constructor(private readonly counts: SharedCounts) {}

  static async open(store: DocumentStore, now: () => number = Date.now): Promise<SharedLimits> {
    const log = new Logger('Limits');
    const onFailure = (error: unknown): void =>
      log.warn(
        `failed logins, dead links, mails and writes of bots are counted by this process alone: ${String(error)}`,
      );
    return new SharedLimits(await SharedCounts.open(store, { onFailure, now }));
  }

  /**
   * Takes one attempt of each limit. A refused attempt counts nowhere: else guesses at one account would use up all.
   * @returns gives the attempt back
   * @throws DomainError RATE_LIMIT_HIT
   */
  async consume(...limited: readonly Limited[]): Promise<() => void> {
    const known = limited.filter((one) => this.counts.known(one) + (one.points ?? 1) > one.most);
    if (known.length > 0) this.refuse(known);
    const totals = await this.counts.add(limited);
    const exceeded = limited.filter(({ most }, index) => (totals[index] ?? 0) > most);
    if (exceeded.length === 0) return () => this.counts.remove(limited);
    this.counts.remove(limited);
    this.refuse(exceeded);
  }

  /** Resolves when all counts are stored. */
  onApplicationShutdown(): Promise<void> {
    return this.counts.idle();
  }

  private refuse(exceeded: readonly Limited[]): never {
    const wait = Math.max(...exceeded.map((one) => this.counts.remaining(one)));
    refuse('RATE_LIMIT_HIT', { 'retry-after': Math.max(1, Math.ceil(wait / 1000)) });
  }
}
