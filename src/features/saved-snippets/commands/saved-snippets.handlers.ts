import { personalStream } from '../../../events/personal/personal.events.js';
import type { SavedSnippetEvent } from '../../../events/saved-snippets/saved-snippets.events.js';
import { decidesOn, firstOf } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { MAX_MESSAGE_LENGTH } from '../../messages/domain/message-content.js';
import {
  CreateSavedSnippet,
  DeleteSavedSnippet,
  decideCreateSavedSnippet,
  decideDeleteSavedSnippet,
  decideEditSavedSnippet,
  EditSavedSnippet,
  type SavedSnippetsState,
  savedSnippets,
} from '../domain/saved-snippets.js';

const snippetsOf = ({ userId }: { readonly userId: number }): CommandStream<SavedSnippetsState, SavedSnippetEvent> => ({
  stream: personalStream(userId),
  decider: savedSnippets,
  expects: 'any',
});

export const savedSnippetHandlers = [
  decidesOn(CreateSavedSnippet, {
    stream: snippetsOf,
    decide: decideCreateSavedSnippet,
    facts: () => ({ keyId: newEventId(), maxLength: MAX_MESSAGE_LENGTH }),
    answer: (events) => firstOf(events).data.snippetId,
  }),
  decidesOn(EditSavedSnippet, {
    // One key seals everything that was ever written in a snippet.
    stream: (command) => ({
      ...snippetsOf(command),
      sealedWith: {
        keyId: ({ byId }) => byId.get(command.snippetId)?.keyId ?? refuse('SNIPPET_NOT_FOUND'),
        whenGone: () => refuse('SNIPPET_NOT_FOUND'),
      },
    }),
    decide: decideEditSavedSnippet,
    facts: () => ({ maxLength: MAX_MESSAGE_LENGTH }),
  }),
  decidesOn(DeleteSavedSnippet, { stream: snippetsOf, decide: decideDeleteSavedSnippet }),
];
