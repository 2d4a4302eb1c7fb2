import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernedAddressees, concernedTogether } from '../shared/concerned.js';

/** The personal setting that says whether a user's drafts are kept here. */
export const SYNCHRONIZATION = 'enable_drafts_synchronization';

/** The addressees of a draft. The writer is in every conversation, and is named only in one with themselves. */
export type DraftRecipient =
  | { readonly type: 'unaddressed' }
  | { readonly type: 'channel'; readonly channelId: number }
  /** Ascending. */
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** The sealed content of a draft. The topic is sealed too: one that nobody has written in yet is content as well. */
export interface DraftWords {
  readonly topic: string;
  readonly text: string;
}

/** The fields of a draft that are not sealed. */
export interface DraftHead {
  readonly recipient: DraftRecipient;
  /** Time of the last change by the writer's client, milliseconds since 1970. */
  readonly editedAt: number;
}

/** A user has a draft. In the user's stream, `user-<id>`. Draft ids count from 1 for each user and are never reused. */
export type DraftCreated = DomainEvent<
  'DraftCreated',
  DraftHead & {
    readonly userId: number;
    readonly draftId: number;
    /** The content key of `words`: the event's id. */
    readonly keyId: string;
    /** Ids of all drafts created together, ascending; only on the last of them. */
    readonly createdIds?: readonly number[];
    /** null once their content key is destroyed. */
    readonly words: DraftWords | null;
  }
>;

/** A draft has another text or addressee. Replaces the draft's content. The key of the previous content is destroyed. */
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

/** A draft is deleted. */
export type DraftDeleted = DomainEvent<
  'DraftDeleted',
  DraftHead & {
    readonly userId: number;
    readonly draftId: number;
    /** The content key, which is destroyed too. */
    readonly keyId: string;
    /** True if the user has turned off synchronization: clients keep their drafts, and get no client event. */
    readonly isWithdrawn: boolean;
  }
>;

export type DraftEvent = DraftCreated | DraftEdited | DraftDeleted;

export const draftEvents = [
  defineEvent<DraftCreated>({
    type: 'DraftCreated',
    concerns: ({ data: { userId, recipient } }) =>
      concernedTogether({ userIds: [userId] }, concernedAddressees(recipient)),
    sealed: { field: 'words', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals' },
  }),
  defineEvent<DraftEdited>({
    type: 'DraftEdited',
    concerns: ({ data: { userId, from, to } }) =>
      concernedTogether({ userIds: [userId] }, concernedAddressees(from.recipient), concernedAddressees(to.recipient)),
    sealed: { field: 'words', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals', previousKeyId: 'ends' },
  }),
  defineEvent<DraftDeleted>({
    type: 'DraftDeleted',
    concerns: ({ data: { userId, recipient } }) =>
      concernedTogether({ userIds: [userId] }, concernedAddressees(recipient)),
    keys: { keyId: 'ends' },
  }),
];
