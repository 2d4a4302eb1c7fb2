import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { derivedId } from '../../../platform/kernel/ids.js';

/** Lifetime of a link that needs no credentials: milliseconds. */
export const LIFETIME_MS = 60_000;

/** Id of the signing key among the content keys, which all processes share. No event names it, so no erasure destroys it. */
const KEY_ID = derivedId('key of temporary URLs');

const TOKEN = /^([1-9]\d{0,14})-([1-9]\d{0,14})-([A-Za-z0-9_-]{43})$/;

/** Makes and checks temporary links to files. Anybody with a link may use it. Links are signed, not stored. */
@Injectable()
export class TemporaryUrls {
  private key: Promise<Uint8Array> | null = null;

  constructor(private readonly runner: CommandRunner) {}

  /** @throws ContentKeysUnavailable */
  async tokenFor(attachmentId: number, now = Date.now()): Promise<string> {
    const until = now + LIFETIME_MS;
    return `${attachmentId}-${until}-${await this.signature(attachmentId, until)}`;
  }

  /** Gives the attachment of a token; null for a forged or expired token. @throws ContentKeysUnavailable */
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
