import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { FetchBounds } from '../remote-pictures.settings.js';

const MINUTE_SECONDS = 60;

/** Counts the pictures that are fetched for one account, and from one host, in the memory of this process. */
export class FetchLimits {
  private readonly accounts: RateLimiterMemory;
  private readonly hosts: RateLimiterMemory;

  constructor({ perAccount, perHost }: Pick<FetchBounds, 'perAccount' | 'perHost'>) {
    this.accounts = new RateLimiterMemory({ points: perAccount, duration: MINUTE_SECONDS });
    this.hosts = new RateLimiterMemory({ points: perHost, duration: MINUTE_SECONDS });
  }

  /** @throws DomainError RATE_LIMIT_HIT */
  async count(account: number, host: string): Promise<void> {
    await consume(this.accounts, String(account));
    await consume(this.hosts, host);
  }
}

async function consume(limits: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limits.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    refuse('RATE_LIMIT_HIT', { 'retry-after': Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
  }
}
