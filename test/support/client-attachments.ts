import type { ClientEvent } from './event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** What a client knows of its user's files: as listed once it had registered, and as told since. */
export class ClientAttachments {
  private readonly known: Map<number, Fields>;

  /** @param listed as `GET /attachments` has them; absent: the client does not ask */
  constructor(listed: readonly Fields[] = []) {
    this.known = new Map(listed.map((file) => [file.id, file]));
  }

  /** An event tells all there is to a file, so that one which the list has taken in already does no harm. */
  apply({ op, attachment }: ClientEvent): void {
    if (op === 'remove') this.known.delete(attachment.id);
    else this.known.set(attachment.id, attachment);
  }

  get comparable(): Fields[] {
    return [...this.known.values()].sort((a, b) => a.id - b.id);
  }
}
