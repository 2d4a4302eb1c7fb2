import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** The content of a snippet, which only its writer reads. */
export interface SnippetText {
  readonly title: string;
  readonly content: string;
}

/**
 * A user has saved a snippet. In the user's stream, `user-<id>`. Snippet ids count from 1 for each user and are never
 * reused.
 */
export type SavedSnippetCreated = DomainEvent<
  'SavedSnippetCreated',
  {
    readonly userId: number;
    readonly snippetId: number;
    /** The content key of the snippet in all its versions: the event's id. */
    readonly keyId: string;
    /** null once the content key is destroyed. */
    readonly text: SnippetText | null;
  }
>;

/** A saved snippet has another title or text. `text` has only the changed fields. */
export type SavedSnippetEdited = DomainEvent<
  'SavedSnippetEdited',
  { readonly userId: number; readonly snippetId: number; readonly text: Partial<SnippetText> | null }
>;

/** A saved snippet is deleted. */
export type SavedSnippetDeleted = DomainEvent<
  'SavedSnippetDeleted',
  {
    readonly userId: number;
    readonly snippetId: number;
    /** The content key, which is destroyed too. */
    readonly keyId: string;
  }
>;

export type SavedSnippetEvent = SavedSnippetCreated | SavedSnippetEdited | SavedSnippetDeleted;

export const savedSnippetEvents = [
  defineEvent<SavedSnippetCreated>({
    type: 'SavedSnippetCreated',
    concerns: concernsUser,
    sealed: { field: 'text', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals' },
  }),
  defineEvent<SavedSnippetEdited>({
    type: 'SavedSnippetEdited',
    concerns: concernsUser,
    sealed: { field: 'text', under: 'existing key', shownTo: { only: 'userId' } },
  }),
  defineEvent<SavedSnippetDeleted>({ type: 'SavedSnippetDeleted', concerns: concernsUser, keys: { keyId: 'ends' } }),
];
