import type { ClientEvent } from './event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** What a client makes of its user's drafts, and of the events that follow. */
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
        // One that came and went while the client was away is told of by its going alone.
        this.drafts.delete(event.draft_id);
        return;
      default:
        throw new Error(`a client knows no ${JSON.stringify(event)}`);
    }
  }

  /** They are no longer kept on the server: no event tells of each. */
  clear(): void {
    this.drafts.clear();
  }

  get comparable(): Fields[] {
    return [...this.drafts.values()].sort((a, b) => a.id - b.id);
  }
}
