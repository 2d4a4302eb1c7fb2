import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's drafts: registered with, and kept up to date by events. */
export class ClientDrafts {
  private readonly drafts: Map<number, Fields>;

  constructor({ drafts = [] }: Fields) {
    this.drafts = new Map((drafts as Fields[]).map((draft) => [draft.id, draft]));
  }

  apply(event: ClientEvent): void {
    switch (event.op) {
      case 'add':
        for (const draft of event.drafts) {
          if (this.drafts.has(draft.id)) throw new Error(`draft ${draft.id} came twice`);
          this.drafts.set(draft.id, draft);
        }
        return;
      case 'update':
        if (!this.drafts.has(event.draft.id)) throw new Error(`draft ${event.draft.id} was changed before it came`);
        this.drafts.set(event.draft.id, event.draft);
        return;
      case 'remove':
        // A draft that was created and deleted while the client was away is told by its deletion alone.
        this.drafts.delete(event.draft_id);
        return;
      default:
        throw new Error(`a client knows no ${JSON.stringify(event)}`);
    }
  }

  /** Removes all drafts: when they are no longer kept on the server, no event tells each removal. */
  clear(): void {
    this.drafts.clear();
  }

  get comparable(): Fields[] {
    return [...this.drafts.values()].sort((a, b) => a.id - b.id);
  }
}
