import { Map as PersistentMap } from 'immutable';
import type { SavedSnippetEvent, SnippetText } from '../../../events/saved-snippets/saved-snippets.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';
import { type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

/** A snippet with hashes of its text only: a remembered state keeps no secret of a deleted snippet. */
export interface Snippet {
  /** Id of the key of the text. */
  readonly keyId: string;
  /** Hexadecimal; absent if the key is destroyed. */
  readonly sha256: { readonly [Field in keyof SnippetText]?: string };
  /** In bytes as JSON; absent if the key is destroyed. */
  readonly size: { readonly [Field in keyof SnippetText]?: number };
}

/** Greatest size of a user's snippets together, in bytes as JSON: the state of a registration has all of them. */
const MOST_SNIPPET_BYTES = 4 * 1024 ** 2;

export interface SavedSnippetsState {
  readonly byId: PersistentMap<number, Snippet>;
  /** 0: there has been none. */
  readonly lastId: number;
}

/** Size of texts in bytes as JSON. */
export const sizesOf = (text: Partial<SnippetText> | null): Snippet['size'] =>
  Object.fromEntries(Object.entries(text ?? {}).map(([field, value]) => [field, bytesInJson(value)]));

/** Size of a snippet in bytes as JSON. */
export const totalOf = ({ title = 0, content = 0 }: Snippet['size']): number => title + content;

/** @param growth bytes that the snippets would take more @throws DomainError SNIPPETS_TOO_LARGE */
export function assertRoom({ byId }: SavedSnippetsState, growth: number): void {
  if (growth > 0 && byId.reduce((sum, { size }) => sum + totalOf(size), growth) > MOST_SNIPPET_BYTES)
    refuse('SNIPPETS_TOO_LARGE', { limit: MOST_SNIPPET_BYTES / 1024 ** 2 });
}

const hashesOf = (text: Partial<SnippetText> | null): Snippet['sha256'] =>
  Object.fromEntries(Object.entries(text ?? {}).map(([field, value]) => [field, sha256Of(value)]));

/** One user's snippets. Other events of the user's stream do not change them. */
export const savedSnippets: Decider<SavedSnippetsState, SavedSnippetEvent> = {
  initialState: { byId: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    switch (event.type) {
      case 'SavedSnippetCreated': {
        const { snippetId, keyId, text } = event.data;
        return {
          byId: state.byId.set(snippetId, { keyId, sha256: hashesOf(text), size: sizesOf(text) }),
          lastId: snippetId,
        };
      }
      case 'SavedSnippetEdited': {
        const { snippetId, text } = event.data;
        const snippet = state.byId.get(snippetId);
        if (!snippet) return state;
        const sha256 = { ...snippet.sha256, ...hashesOf(text) };
        const size = { ...snippet.size, ...sizesOf(text) };
        return { ...state, byId: state.byId.set(snippetId, { ...snippet, sha256, size }) };
      }
      case 'SavedSnippetDeleted':
        return { ...state, byId: state.byId.delete(event.data.snippetId) };
      default:
        event satisfies never;
        return state;
    }
  },
};
