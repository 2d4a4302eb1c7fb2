import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's files: listed after it registered, and kept up to date by events. */
export class ClientAttachments {
  private readonly known: Map<number, Fields>;

  /** @param listed the answer of `GET /attachments`; absent: the client does not ask */
  constructor(listed: readonly Fields[] = []) {
    this.known = new Map(listed.map((file) => [file.id, file]));
  }

  /** Applies an event. It has the whole file, so an event that the list contains already does no harm. */
  apply({ op, attachment }: ClientEvent): void {
    if (op === 'remove') this.known.delete(attachment.id);
    else this.known.set(attachment.id, attachment);
  }

  get comparable(): Fields[] {
    return [...this.known.values()].sort((a, b) => a.id - b.id);
  }
}
