import { Injectable } from '@nestjs/common';
import { RateLimits } from '../http/rate-limits.js';
import { DomainError, refuse } from '../kernel/domain-error.js';
import { LINK_TOKEN, linkTokenHash } from '../links/link-token.js';

/** Counts guesses of links, like wrong passwords: by address. */
@Injectable()
export class LinkGuesses {
  constructor(private readonly limits: RateLimits) {}

  /**
   * Uses a token of a link. What has not the form of a token is a guess, too.
   * @param use refuses with LINK_UNUSABLE for a wrong token
   * @throws DomainError LINK_UNUSABLE; RATE_LIMIT_HIT after too many guesses
   */
  async counted<T>(address: string, token: string, use: (tokenHash: string) => Promise<T>): Promise<T> {
    const giveBack = await this.limits.takeLoginAttempt(`link from ${address}`);
    if (!LINK_TOKEN.test(token)) refuse('LINK_UNUSABLE');
    const isGuess = (error: unknown): boolean => error instanceof DomainError && error.code === 'LINK_UNUSABLE';
    try {
      const result = await use(linkTokenHash(token));
      await giveBack();
      return result;
    } catch (error) {
      if (!isGuess(error)) await giveBack();
      throw error;
    }
  }
}
