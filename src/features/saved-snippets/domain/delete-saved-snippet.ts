import type { SavedSnippetDeleted } from '../../../events/saved-snippets/saved-snippets.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { SavedSnippetsState } from './saved-snippets.state.js';

export class DeleteSavedSnippet extends Command<void> {
  constructor(
    readonly userId: number,
    readonly snippetId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideDeleteSavedSnippet: Decide<DeleteSavedSnippet, SavedSnippetsState, SavedSnippetDeleted> = (
  { userId, snippetId },
  { byId },
) => {
  const { keyId } = byId.get(snippetId) ?? refuse('SNIPPET_NOT_FOUND');
  return [{ type: 'SavedSnippetDeleted', data: { userId, snippetId, keyId } }];
};
