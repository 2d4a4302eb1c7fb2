import { performance } from 'node:perf_hooks';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { RouteOptions } from 'fastify';

/**
 * Nobody waits for the answers of the route. So where many requests of such routes come, a few are carried out one behind
 * the other: the first brings code and data back into the processor's caches, and the others find them there.
 */
export const NobodyWaits = (): MethodDecorator => RouteConfig({ nobodyWaits: true });

export const nobodyWaits = ({ config = {} }: RouteOptions): boolean =>
  'nobodyWaits' in config && config.nobodyWaits === true;

/** Many come: so many within so many milliseconds, which is 100 a second. */
export const MANY = 64;
const MANY_WITHIN_MS = 640;
/** Requests that are carried out together, or fewer after the longest wait in milliseconds. */
export const TOGETHER = 8;
const LONGEST_WAIT_MS = 50;

/** Requests that wait to be carried out together. */
export class GatheredRequests {
  private readonly waiting: (() => void)[] = [];
  /** When the newest requests came: milliseconds, in a ring. */
  private readonly times: number[] = new Array(MANY).fill(Number.NEGATIVE_INFINITY);
  private oldest = 0;
  private timer: NodeJS.Timeout | null = null;

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Calls `begin` at once, or a little later if many requests come. */
  add(begin: () => void): void {
    if (!this.areMany(this.now())) begin();
    else if (this.waiting.push(begin) >= TOGETHER) this.beginAll();
    else this.timer ??= setTimeout(() => this.beginAll(), LONGEST_WAIT_MS);
  }

  /** Whether many came before the one that comes now. */
  private areMany(now: number): boolean {
    const first = this.times[this.oldest] ?? now;
    this.times[this.oldest] = now;
    this.oldest = (this.oldest + 1) % MANY;
    return now - first < MANY_WITHIN_MS;
  }

  private beginAll(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    for (const begin of this.waiting.splice(0)) begin();
  }
}
