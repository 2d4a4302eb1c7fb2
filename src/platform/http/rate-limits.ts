import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../kernel/domain-error.js';
import { addressBlock } from './address-block.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';

const WINDOW_SECONDS = 60;
/** Effects outside the server, a minute for each key. */
const EFFECT_LIMIT = 10;

/** Dead links that one address may open in a minute. A whole office may share it. */
const DEAD_LINKS = 100;

/** The state of a key's limit in the current minute, as the `X-RateLimit-*` headers give it. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the next minute begins. */
  readonly reset: number;
  /** Seconds until `reset`; null while requests are left. */
  readonly retryAfter: number | null;
}

/** Counts requests in this process's memory. With many processes, each has limits of its own. */
@Injectable()
export class RateLimits {
  private readonly requests: RateLimiterMemory | null;
  private readonly effects = limiter(EFFECT_LIMIT);
  private readonly deadLinks = limiter(DEAD_LINKS);

  constructor(@Inject(HTTP_OPTIONS) private readonly options: HttpOptions) {
    this.requests = options.rateLimit > 0 ? limiter(options.rateLimit) : null;
  }

  /** Whether requests are counted. */
  get areOn(): boolean {
    return this.requests !== null;
  }

  /** @param key one for each user or address */
  async count(key: string): Promise<RateLimitStatus | null> {
    if (!this.requests) return null;
    const { result, refused } = await consume(this.requests, key);
    return {
      limit: this.options.rateLimit,
      remaining: result.remainingPoints,
      reset: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
      retryAfter: refused ? secondsUntil(result) : null,
    };
  }

  /**
   * Counts a request that has effects outside the server, even if the rate limit of requests is off.
   * @throws DomainError RATE_LIMIT_HIT
   */
  countEffect(key: string): Promise<void> {
    return take(this.effects, key);
  }

  /**
   * @param address the client's IP address
   * @throws DomainError RATE_LIMIT_HIT
   */
  countDeadLink(address: string): Promise<void> {
    return take(this.deadLinks, addressBlock(address));
  }
}

/** Makes a limit of so many points in each window. @param duration seconds */
export function limiter(points: number, duration = WINDOW_SECONDS): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration });
}

/** Takes a point. @throws DomainError RATE_LIMIT_HIT if none is left */
export async function take(limits: RateLimiterMemory, key: string): Promise<void> {
  const { result, refused } = await consume(limits, key);
  if (refused) refuse('RATE_LIMIT_HIT', { 'retry-after': secondsUntil(result) });
}

async function consume(limits: RateLimiterMemory, key: string): Promise<{ result: RateLimiterRes; refused: boolean }> {
  try {
    return { result: await limits.consume(key), refused: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { result: error, refused: true };
    throw error;
  }
}

const secondsUntil = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));
