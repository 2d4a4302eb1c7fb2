import type { SavedSnippetEvent, SnippetText } from '../../src/events/saved-snippets/saved-snippets.events.js';
import { type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { clientEvent, staticClientEvent } from '../client-events/client-event.js';
import { toldToOwner } from '../client-events/written.js';

/** A snippet as it is now. */
export interface SavedSnippetDocument extends SnippetText, UserItem {
  readonly snippetId: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Names the snippet. Its text is filled in when the client event is sent. */
interface SnippetPayload {
  readonly snippetId: number;
}

const PART = 'saved_snippets';

export const savedSnippetsAdd = clientEvent<SnippetPayload>()({ kind: 'saved_snippets/add', rank: 1024, part: PART });

export const savedSnippetsUpdate = clientEvent<SnippetPayload>()({
  kind: 'saved_snippets/update',
  rank: 1024,
  part: PART,
});

export const savedSnippetsRemove = staticClientEvent<{ readonly saved_snippet_id: number }>()({
  kind: 'saved_snippets/remove',
  rank: 1024,
  part: PART,
});

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
  told: toldToOwner<SavedSnippetEvent>({
    SavedSnippetCreated: (event, own) => [savedSnippetsAdd.of(event, own, { snippetId: event.data.snippetId })],
    SavedSnippetEdited: (event, own) => [savedSnippetsUpdate.of(event, own, { snippetId: event.data.snippetId })],
    SavedSnippetDeleted: (event, own) => [
      savedSnippetsRemove.of(event, own, { saved_snippet_id: event.data.snippetId }),
    ],
  }),
});
