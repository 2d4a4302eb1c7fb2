import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';

const WINDOW_SECONDS = 60;

/** The state of a key's limit in the current minute, as the `X-RateLimit-*` headers give it. */
interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the next minute begins. */
  readonly reset: number;
  /** Seconds until `reset`; null while requests are left. */
  readonly retryAfter: number | null;
}

/** Counts requests in this process's memory: a count over all processes would cost each request a trip to the documents. */
@Injectable()
export class RateLimits {
  private readonly requests: RateLimiterMemory | null;

  constructor(@Inject(HTTP_OPTIONS) private readonly options: HttpOptions) {
    this.requests =
      options.rateLimit > 0 ? new RateLimiterMemory({ points: options.rateLimit, duration: WINDOW_SECONDS }) : null;
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
