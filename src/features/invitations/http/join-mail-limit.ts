import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressBlock } from '../../../platform/http/address-block.js';
import { refuse } from '../../../platform/kernel/domain-error.js';

const HOUR_SECONDS = 3600;
/** A whole office may join from one address. */
const MAILS_AN_HOUR = 100;

/**
 * Limits the mails that one client can have sent by links for many, in this process's memory. The log counts them by link and
 * by addressee, for all processes.
 */
@Injectable()
export class JoinMailLimit {
  private readonly mails = new RateLimiterMemory({ points: MAILS_AN_HOUR, duration: HOUR_SECONDS });

  /** @throws DomainError RATE_LIMIT_HIT */
  async take(ip: string): Promise<void> {
    try {
      await this.mails.consume(addressBlock(ip));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      refuse('RATE_LIMIT_HIT', { 'retry-after': Math.ceil(error.msBeforeNext / 1000) });
    }
  }
}
