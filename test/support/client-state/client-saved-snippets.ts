import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's own saved snippets: registered with, and kept up to date by events. */
export class ClientSavedSnippets {
  private readonly snippets: Map<number, Fields>;

  constructor({ saved_snippets = [] }: Fields) {
    this.snippets = new Map((saved_snippets as Fields[]).map((snippet) => [snippet.id, snippet]));
  }

  apply({ op, saved_snippet, saved_snippet_id }: ClientEvent): void {
    if (op === 'remove') this.snippets.delete(saved_snippet_id);
    else this.snippets.set(saved_snippet.id, saved_snippet);
  }

  get comparable(): Fields[] {
    return [...this.snippets.values()].sort((a, b) => a.id - b.id);
  }
}
