import type { SavedSnippetCreated, SnippetText } from '../../../events/saved-snippets/saved-snippets.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { assertRoom, type SavedSnippetsState, sizesOf, totalOf } from './saved-snippets.state.js';
import { checkedContent, checkedTitle } from './snippet-text.js';

/** Greatest number of snippets of a user: the state of a registration has all of them. */
export const MOST_SNIPPETS = 1000;

/** Creates a snippet. The result is its id. */
export class CreateSavedSnippet extends Command<{ userId: number; text: SnippetText }, number> {}

export interface CreateSavedSnippetFacts {
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
