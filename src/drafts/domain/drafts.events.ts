import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';

/** Whom a draft is for. Its writer takes part in every conversation, and is named only where it is with themselves. */
export type DraftRecipient =
  | { readonly type: 'unaddressed' }
  | { readonly type: 'channel'; readonly channelId: number }
  /** Ascending. */
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** A topic that nobody has written in yet says as much as words do: it goes with them. */
export interface DraftWords {
  readonly topic: string;
  readonly text: string;
}

/** What is known of a draft without its words. */
export interface DraftHead {
  readonly recipient: DraftRecipient;
  /** When its writer last changed it, as their client says; milliseconds since 1970. */
  readonly editedAt: number;
}

/** In the stream of the user, `user-<id>`. Drafts are numbered by user, from 1; no number is used again. */
export type DraftCreated = DomainEvent<
  'DraftCreated',
  DraftHead & {
    readonly userId: number;
    readonly draftId: number;
    /** Names the key of these words: the event's id. */
    readonly keyId: string;
    /** On the last of those that were created together: all of them, ascending. */
    readonly createdIds?: readonly number[];
    /** null once their key has been destroyed. */
    readonly words: DraftWords | null;
  }
>;

/** The words that it replaces are gone: their key is destroyed. */
export type DraftEdited = DomainEvent<
  'DraftEdited',
  {
    readonly userId: number;
    readonly draftId: number;
    readonly keyId: string;
    readonly previousKeyId: string;
    readonly from: DraftHead;
    readonly to: DraftHead;
    readonly words: DraftWords | null;
  }
>;

export type DraftDeleted = DomainEvent<
  'DraftDeleted',
  DraftHead & {
    readonly userId: number;
    readonly draftId: number;
    /** Names the key that goes with it. */
    readonly keyId: string;
    /** Because the user's drafts are no longer kept here: clients keep theirs, and are told nothing. */
    readonly isWithdrawn: boolean;
  }
>;

export type DraftEvent = DraftCreated | DraftEdited | DraftDeleted;

export const draftEvents = [
  defineEvent<DraftCreated>({ type: 'DraftCreated', version: 1, sealed: 'words' }),
  defineEvent<DraftEdited>({ type: 'DraftEdited', version: 1, sealed: 'words' }),
  defineEvent<DraftDeleted>({ type: 'DraftDeleted', version: 1 }),
];
