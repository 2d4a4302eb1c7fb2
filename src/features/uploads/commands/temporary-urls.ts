import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';

/** Milliseconds for which a link that needs no credentials is good. */
export const LIFETIME_MS = 60_000;

/** Stored with the content keys: durable, and shared by all processes. No event has this id, so no erasure destroys it. */
const KEY_ID = derivedId('key of temporary URLs');

const TOKEN = /^([1-9]\d{0,14})-([1-9]\d{0,14})-([A-Za-z0-9_-]{43})$/;

/** Links to files that whoever has one may use, for a while: signed, so that nothing need be remembered of them. */
@Injectable()
export class TemporaryUrls {
  private key: Promise<Uint8Array> | null = null;

  constructor(private readonly runner: CommandRunner) {}

  /** @throws ContentKeysUnavailable */
  async tokenFor(attachmentId: number, now = Date.now()): Promise<string> {
    const until = now + LIFETIME_MS;
    return `${attachmentId}-${until}-${await this.signature(attachmentId, until)}`;
  }

  /** The attachment that a token is for; null where it was not made here, or is too old. @throws ContentKeysUnavailable */
  async attachmentOf(token: string, now = Date.now()): Promise<number | null> {
    const [, attachmentId = '', until = '', given = ''] = TOKEN.exec(token) ?? [];
    if (given === '') return null;
    const wanted = await this.signature(Number(attachmentId), Number(until));
    if (!timingSafeEqual(Buffer.from(given), Buffer.from(wanted))) return null;
    return now < Number(until) ? Number(attachmentId) : null;
  }

  private async signature(attachmentId: number, until: number): Promise<string> {
    return createHmac('sha256', await this.signingKey())
      .update(`${attachmentId} ${until}`)
      .digest('base64url');
  }

  private signingKey(): Promise<Uint8Array> {
    this.key ??= this.runner.sealingKey(KEY_ID).then(
      ({ key }) => key,
      (error: unknown) => {
        this.key = null;
        throw error;
      },
    );
    return this.key;
  }
}
