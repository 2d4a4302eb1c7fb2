import type { SavedSnippetEvent } from '../../src/events/saved-snippets/saved-snippets.events.js';
import { clientEvent, staticClientEvent } from './client-event.js';
import { toldToOwner } from './written.js';

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

export const savedSnippetRules = toldToOwner<SavedSnippetEvent>({
  SavedSnippetCreated: (event, own) => [savedSnippetsAdd.of(event, own, { snippetId: event.data.snippetId })],
  SavedSnippetEdited: (event, own) => [savedSnippetsUpdate.of(event, own, { snippetId: event.data.snippetId })],
  SavedSnippetDeleted: (event, own) => [savedSnippetsRemove.of(event, own, { saved_snippet_id: event.data.snippetId })],
});
