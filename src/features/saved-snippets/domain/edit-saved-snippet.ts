import type { SavedSnippetEdited, SnippetText } from '../../../events/saved-snippets/saved-snippets.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { assertRoom, type SavedSnippetsState, sizesOf, totalOf } from './saved-snippets.state.js';
import { checkedContent, checkedTitle } from './snippet-text.js';

/** Changes a snippet. Absent fields stay unchanged. */
export class EditSavedSnippet extends Command<{ userId: number; snippetId: number; text: Partial<SnippetText> }> {}

export interface EditSavedSnippetFacts {
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
