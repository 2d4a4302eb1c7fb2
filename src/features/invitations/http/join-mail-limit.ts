import { Injectable } from '@nestjs/common';
import { addressBlock } from '../../../platform/http/address-block.js';
import { limiter, take } from '../../../platform/http/rate-limits.js';

const HOUR_SECONDS = 3600;
/** A whole office may join from one address. */
const MAILS_AN_HOUR = 100;

/**
 * Limits the mails that one client can have sent by links for many, in this process's memory. The log counts them by link and
 * by addressee, for all processes.
 */
@Injectable()
export class JoinMailLimit {
  private readonly mails = limiter(MAILS_AN_HOUR, HOUR_SECONDS);

  /** @throws DomainError RATE_LIMIT_HIT */
  take(ip: string): Promise<void> {
    return take(this.mails, addressBlock(ip));
  }
}
