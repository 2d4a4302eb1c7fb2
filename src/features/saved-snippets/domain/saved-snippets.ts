import { Map as PersistentMap } from 'immutable';
import type {
  SavedSnippetCreated,
  SavedSnippetDeleted,
  SavedSnippetEdited,
  SavedSnippetEvent,
  SnippetText,
} from '../../../events/saved-snippets/saved-snippets.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

/** A snippet with hashes of its text only: a remembered state keeps no secret of a deleted snippet. */
interface Snippet {
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
const sizesOf = (text: Partial<SnippetText> | null): Snippet['size'] =>
  Object.fromEntries(Object.entries(text ?? {}).map(([field, value]) => [field, bytesInJson(value)]));

/** Size of a snippet in bytes as JSON. */
const totalOf = ({ title = 0, content = 0 }: Snippet['size']): number => title + content;

/** @param growth bytes that the snippets would take more @throws DomainError SNIPPETS_TOO_LARGE */
function assertRoom({ byId }: SavedSnippetsState, growth: number): void {
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

/** In Unicode code points. */
const MAX_TITLE_LENGTH = 60;

/** @throws DomainError SNIPPET_TITLE_EMPTY, SNIPPET_TITLE_TOO_LONG, SNIPPET_HAS_NULL_BYTES */
function checkedTitle(given: string): string {
  const title = given.trim();
  if (title === '') refuse('SNIPPET_TITLE_EMPTY');
  if ([...title].length > MAX_TITLE_LENGTH) refuse('SNIPPET_TITLE_TOO_LONG', { limit: MAX_TITLE_LENGTH });
  if (title.includes('\0')) refuse('SNIPPET_HAS_NULL_BYTES');
  return title;
}

/**
 * @param limit in Unicode code points, the same as for messages
 * @throws DomainError SNIPPET_CONTENT_EMPTY, SNIPPET_CONTENT_TOO_LONG, SNIPPET_HAS_NULL_BYTES
 */
function checkedContent(given: string, limit: number): string {
  const content = given.trim();
  if (content === '') refuse('SNIPPET_CONTENT_EMPTY');
  if ([...content].length > limit) refuse('SNIPPET_CONTENT_TOO_LONG', { limit });
  if (content.includes('\0')) refuse('SNIPPET_HAS_NULL_BYTES');
  return content;
}

/** Greatest number of snippets of a user: the state of a registration has all of them. */
export const MOST_SNIPPETS = 1000;

/** Creates a snippet. The result is its id. */
export class CreateSavedSnippet extends Command<{ userId: number; text: SnippetText }, number> {}

interface CreateSavedSnippetFacts {
  readonly keyId: string;
  /** Greatest length of the content, in Unicode code points. */
  readonly maxLength: number;
}

export const decideCreateSavedSnippet: Decide<
  CreateSavedSnippet,
  SavedSnippetsState,
  SavedSnippetCreated,
  CreateSavedSnippetFacts
> = ({ userId, text }, state, { keyId, maxLength }) => {
  const { byId, lastId } = state;
  const title = checkedTitle(text.title);
  const content = checkedContent(text.content, maxLength);
  if (byId.size >= MOST_SNIPPETS) refuse('TOO_MANY_SNIPPETS', { limit: MOST_SNIPPETS });
  assertRoom(state, totalOf(sizesOf({ title, content })));
  return [{ type: 'SavedSnippetCreated', data: { userId, snippetId: lastId + 1, keyId, text: { title, content } } }];
};

/** Changes a snippet. Absent fields stay unchanged. */
export class EditSavedSnippet extends Command<{ userId: number; snippetId: number; text: Partial<SnippetText> }> {}

interface EditSavedSnippetFacts {
  /** Greatest length of the content, in Unicode code points. */
  readonly maxLength: number;
}

export const decideEditSavedSnippet: Decide<
  EditSavedSnippet,
  SavedSnippetsState,
  SavedSnippetEdited,
  EditSavedSnippetFacts
> = ({ userId, snippetId, text: { title, content } }, state, { maxLength }) => {
  const { sha256, size } = state.byId.get(snippetId) ?? refuse('SNIPPET_NOT_FOUND');
  const given = {
    ...(title !== undefined && { title: checkedTitle(title) }),
    ...(content !== undefined && { content: checkedContent(content, maxLength) }),
  };
  const text = {
    ...(given.title !== undefined && sha256Of(given.title) !== sha256.title && { title: given.title }),
    ...(given.content !== undefined && sha256Of(given.content) !== sha256.content && { content: given.content }),
  };
  if (Object.keys(text).length === 0) return [];
  assertRoom(state, totalOf({ ...size, ...sizesOf(text) }) - totalOf(size));
  return [{ type: 'SavedSnippetEdited', data: { userId, snippetId, text } }];
};

export class DeleteSavedSnippet extends Command<{ userId: number; snippetId: number }> {}

export const decideDeleteSavedSnippet: Decide<DeleteSavedSnippet, SavedSnippetsState, SavedSnippetDeleted> = (
  { userId, snippetId },
  { byId },
) => {
  const { keyId } = byId.get(snippetId) ?? refuse('SNIPPET_NOT_FOUND');
  return [{ type: 'SavedSnippetDeleted', data: { userId, snippetId, keyId } }];
};
