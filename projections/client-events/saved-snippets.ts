import type { SavedSnippetEvent } from '../../src/events/saved-snippets/saved-snippets.events.js';
import type { EventHandlers } from '../../src/platform/read-models/projection.js';
import { clientEvent, staticClientEvent } from './client-event.js';
import { written } from './written.js';

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

/** Tells only the user's own clients. */
export const savedSnippetRules: EventHandlers<SavedSnippetEvent> = {
  SavedSnippetCreated: (event, documents) => {
    const { userId, snippetId } = event.data;
    return written(event, documents, [savedSnippetsAdd.of(event, { userIds: [userId] }, { snippetId })]);
  },
  SavedSnippetEdited: (event, documents) => {
    const { userId, snippetId } = event.data;
    return written(event, documents, [savedSnippetsUpdate.of(event, { userIds: [userId] }, { snippetId })]);
  },
  SavedSnippetDeleted: (event, documents) => {
    const { userId, snippetId: saved_snippet_id } = event.data;
    return written(event, documents, [savedSnippetsRemove.of(event, { userIds: [userId] }, { saved_snippet_id })]);
  },
};
