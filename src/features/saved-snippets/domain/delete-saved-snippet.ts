import type { SavedSnippetDeleted } from '../../../events/saved-snippets/saved-snippets.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { SavedSnippetsState } from './saved-snippets.state.js';

export class DeleteSavedSnippet extends Command<{ userId: number; snippetId: number }> {}

export const decideDeleteSavedSnippet: Decide<DeleteSavedSnippet, SavedSnippetsState, SavedSnippetDeleted> = (
  { userId, snippetId },
  { byId },
) => {
  const { keyId } = byId.get(snippetId) ?? refuse('SNIPPET_NOT_FOUND');
  return [{ type: 'SavedSnippetDeleted', data: { userId, snippetId, keyId } }];
};
