import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse } from '../../../platform/kernel/domain-error.js';

const DAY_SECONDS = 86_400;
const MAILS_A_DAY = 5;

/** Limits the mails that somebody with a link for many can have sent to others. Each process counts for itself. */
@Injectable()
export class JoinMailLimit {
  private readonly mails = new RateLimiterMemory({ points: MAILS_A_DAY, duration: DAY_SECONDS });

  /** @throws DomainError RATE_LIMIT_HIT */
  async take(ip: string): Promise<void> {
    try {
      await this.mails.consume(ip);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      refuse('RATE_LIMIT_HIT', { 'retry-after': Math.ceil(error.msBeforeNext / 1000) });
    }
  }
}
