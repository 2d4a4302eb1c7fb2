import { Injectable } from '@nestjs/common';
import { DomainError, refuse } from '../../kernel/deciding.js';
import { LINK_TOKEN, linkTokenHash } from '../../links/link-token.js';
import { addressBlock } from '../address-block.js';
import { inMinute, SharedLimits } from './shared-limits.js';

/** Dead links that one address may open in a minute, over all processes. A whole office may share it. */
export const DEAD_LINKS = 100;

/** Counts dead links, by address. A link that can be used always opens: its token of 120 bits cannot be guessed. */
@Injectable()
export class LinkGuesses {
  constructor(private readonly limits: SharedLimits) {}

  /**
   * Uses a token of a link. A text without the form of a token counts as a dead link, too.
   * @param address the client's IP address
   * @param use refuses with LINK_UNUSABLE for a dead link
   * @throws DomainError LINK_UNUSABLE; RATE_LIMIT_HIT instead, after many dead links
   */
  async counted<T>(address: string, token: string, use: (tokenHash: string) => Promise<T>): Promise<T> {
    try {
      if (!LINK_TOKEN.test(token)) refuse('LINK_UNUSABLE');
      return await use(linkTokenHash(token));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'LINK_UNUSABLE')
        await this.limits.consume(inMinute(`dead link ${addressBlock(address)}`, DEAD_LINKS));
      throw error;
    }
  }
}
