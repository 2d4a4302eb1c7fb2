import { createHash } from 'node:crypto';
import { refuse } from '../../../platform/kernel/deciding.js';
import { MIB } from '../domain/upload-settings.js';

/** Counts and hashes the bytes that pass through, and refuses a file that is too large. */
export class MeasuredContent implements AsyncIterable<Uint8Array> {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(
    private readonly content: AsyncIterable<Uint8Array>,
    private readonly maxMib: number,
  ) {}

  /** Number of bytes; complete when the content has ended. */
  get size(): number {
    return this.bytes;
  }

  /** Hash of the content, hexadecimal. May be called once, when the content has ended. */
  sha256(): string {
    return this.hash.digest('hex');
  }

  /** @throws DomainError FILE_TOO_LARGE */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.content) {
      this.bytes += chunk.length;
      if (this.bytes > this.maxMib * MIB) refuse('FILE_TOO_LARGE', { limit: this.maxMib });
      this.hash.update(chunk);
      yield chunk;
    }
  }
}
