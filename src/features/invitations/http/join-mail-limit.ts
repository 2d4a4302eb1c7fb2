import { Injectable } from '@nestjs/common';
import { addressBlock } from '../../../platform/http/address-block.js';
import { inHour, SharedLimits } from '../../../platform/http/logins/shared-limits.js';

/** A whole office may join from one address. */
const MAILS_AN_HOUR = 100;

/** Limits the mails that one client can have sent by links for many. The log counts them by link and by addressee. */
@Injectable()
export class JoinMailLimit {
  constructor(private readonly limits: SharedLimits) {}

  /** @throws DomainError RATE_LIMIT_HIT */
  async consume(ip: string): Promise<void> {
    await this.limits.consume(inHour(`join mails from ${addressBlock(ip)}`, MAILS_AN_HOUR));
  }
}
