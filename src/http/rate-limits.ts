import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../kernel/domain-error.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';

const WINDOW_SECONDS = 60;

/** Where someone stands in their minute, as the `X-RateLimit-*` headers tell it. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the minute starts anew. */
  readonly reset: number;
  /** Seconds until then; null while requests are left. */
  readonly retryAfter: number | null;
}

/** Counts in this process's memory: with many processes, each grants its own share. */
@Injectable()
export class RateLimits {
  private readonly requests: RateLimiterMemory | null;
  private readonly logins: RateLimiterMemory;

  constructor(@Inject(HTTP_OPTIONS) private readonly options: HttpOptions) {
    this.requests = options.rateLimit > 0 ? limiter(options.rateLimit) : null;
    this.logins = limiter(options.loginFailureLimit);
  }

  /** Whether requests are counted at all. */
  get areOn(): boolean {
    return this.requests !== null;
  }

  /** @param who one key for each user or address */
  async count(who: string): Promise<Standing | null> {
    if (!this.requests) return null;
    const { result, refused } = await consume(this.requests, who);
    return {
      limit: this.options.rateLimit,
      remaining: result.remainingPoints,
      reset: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
      retryAfter: refused ? secondsUntil(result) : null,
    };
  }

  /**
   * Takes one attempt before the password is looked at, so that guesses sent at the same time all count.
   * @returns gives the attempt back: to be called when the login succeeded
   * @throws DomainError RATE_LIMIT_HIT
   */
  async takeLoginAttempt(who: string): Promise<() => Promise<unknown>> {
    const { result, refused } = await consume(this.logins, who);
    if (refused) refuse('RATE_LIMIT_HIT', { 'retry-after': secondsUntil(result) });
    return () => this.logins.reward(who);
  }
}

function limiter(points: number): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
}

async function consume(limits: RateLimiterMemory, who: string): Promise<{ result: RateLimiterRes; refused: boolean }> {
  try {
    return { result: await limits.consume(who), refused: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { result: error, refused: true };
    throw error;
  }
}

const secondsUntil = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));
