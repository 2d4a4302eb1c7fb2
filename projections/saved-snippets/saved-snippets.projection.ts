import type { SavedSnippetEvent, SnippetText } from '../../src/events/saved-snippets/saved-snippets.events.js';
import { type UserItem, userList } from '../../src/platform/read-models/user-list.js';

/** A snippet as it is now. */
export interface SavedSnippetDocument extends SnippetText, UserItem {
  readonly snippetId: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Texts that users keep for later messages, the oldest first. A snippet whose key is destroyed is left out. */
export const savedSnippets = userList<SavedSnippetEvent, SavedSnippetDocument>({
  name: 'saved-snippets',
  version: 1,
  holdsContent: true,
  items: 'snippets',
  indexes: [{ keys: { userId: 1, snippetId: 1 } }],
  order: { snippetId: 1 },
  on: {
    SavedSnippetCreated: ({ data: { snippetId, text }, metadata }, own) =>
      text === null ? [] : [own.put(snippetId, { snippetId, ...text, createdAt: metadata.at })],
    SavedSnippetEdited: ({ data: { snippetId, text } }, own) => own.edit(snippetId, { ...text }),
    SavedSnippetDeleted: ({ data: { snippetId } }, own) => [own.remove(snippetId)],
  },
});
