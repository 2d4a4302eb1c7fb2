import { Map as PersistentMap } from 'immutable';
import {
  type DraftCreated,
  type DraftDeleted,
  type DraftEdited,
  type DraftEvent,
  type DraftHead,
  type DraftRecipient,
  type DraftWords,
  SYNCHRONIZATION,
} from '../../../events/drafts/drafts.events.js';
import { DEFAULT_USER_SETTINGS } from '../../../events/personal/user.settings.js';
import type { UserSettingChanged } from '../../../events/personal/user-settings.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';
import { Command, type CommandContext, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { type DraftFacts, readDraft, type WrittenDraft } from './written-draft.js';

/** A draft without its content: a remembered state keeps no secret of a deleted draft. */
interface Draft extends DraftHead {
  /** Id of its content key. */
  readonly keyId: string;
  /** Hexadecimal; null if the key is destroyed. */
  readonly wordsSha256: string | null;
  /** In bytes as JSON. */
  readonly size: number;
}

/** Greatest size of a user's drafts together, in bytes as JSON: the state of a registration has all of them. */
const MOST_DRAFT_BYTES = 4 * 1024 ** 2;

export interface DraftsState {
  readonly byId: PersistentMap<number, Draft>;
  /** 0: there has been none. */
  readonly lastId: number;
  /** Whether the user's drafts are kept here. */
  readonly isSynchronized: boolean;
  /** Drafts up to this id existed when the user turned synchronization off: they are deleted even if it is on again. */
  readonly withdrawnThrough: number;
}

/** The draft, if it exists and is not to be withdrawn. */
const draftIn = ({ byId, withdrawnThrough }: DraftsState, draftId: number): Draft | undefined =>
  draftId > withdrawnThrough ? byId.get(draftId) : undefined;

const hashOf = ({ topic, text }: DraftWords): string => sha256Of(JSON.stringify([topic, text]));

/** Size of a draft in bytes as JSON. */
const sizeOf = ({ recipient }: DraftHead, words: DraftWords | null): number => bytesInJson([recipient, words]);

/** @param growth bytes that the drafts would take more @throws DomainError DRAFTS_TOO_LARGE */
function assertRoom({ byId }: DraftsState, growth: number): void {
  if (growth > 0 && byId.reduce((sum, { size }) => sum + size, growth) > MOST_DRAFT_BYTES)
    refuse('DRAFTS_TOO_LARGE', { limit: MOST_DRAFT_BYTES / 1024 ** 2 });
}

const draftOf = (head: DraftHead, keyId: string, words: DraftWords | null): Draft => ({
  recipient: head.recipient,
  editedAt: head.editedAt,
  keyId,
  wordsSha256: words && hashOf(words),
  size: sizeOf(head, words),
});

/** Other events of the user's stream do not change their drafts. */
export const drafts: Decider<DraftsState, DraftEvent | UserSettingChanged> = {
  initialState: {
    byId: PersistentMap(),
    lastId: 0,
    isSynchronized: DEFAULT_USER_SETTINGS[SYNCHRONIZATION],
    withdrawnThrough: 0,
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'DraftCreated': {
        const { draftId, keyId, words } = event.data;
        return { ...state, byId: state.byId.set(draftId, draftOf(event.data, keyId, words)), lastId: draftId };
      }
      case 'DraftEdited': {
        const { draftId, keyId, to, words } = event.data;
        return { ...state, byId: state.byId.set(draftId, draftOf(to, keyId, words)) };
      }
      case 'DraftDeleted':
        return { ...state, byId: state.byId.delete(event.data.draftId) };
      case 'UserSettingChanged': {
        if (event.data.property !== SYNCHRONIZATION) return state;
        const isSynchronized = event.data.to === true;
        return { ...state, isSynchronized, ...(!isSynchronized && { withdrawnThrough: state.lastId }) };
      }
      default:
        event satisfies never;
        return state;
    }
  },
};

/** Greatest number of drafts of a user: the state of a registration has all of them. */
export const MOST_DRAFTS = 1000;
/**
 * Greatest size of the drafts created together, in bytes as JSON: they are appended together, which has its limit.
 */
const MOST_BYTES_AT_ONCE = 512 * 1024;

export class CreateDrafts extends Command<{ userId: number; drafts: readonly WrittenDraft[] }, readonly number[]> {}

interface CreateDraftsFacts extends DraftFacts {
  /** A new key id for each draft. */
  readonly keyId: (index: number) => string;
}

export const decideCreateDrafts: Decide<CreateDrafts, DraftsState, DraftCreated, CreateDraftsFacts> = (
  { userId, drafts },
  state,
  facts,
) => {
  const { byId, lastId, isSynchronized } = state;
  if (!isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const read = drafts.map((draft) => readDraft(draft, userId, facts));
  if (byId.size + read.length > MOST_DRAFTS) refuse('TOO_MANY_DRAFTS', { limit: MOST_DRAFTS });
  const size = read.reduce((sum, draft) => sum + sizeOf(draft, draft.words), 0);
  if (size > MOST_BYTES_AT_ONCE) refuse('TOO_MUCH_IN_DRAFTS');
  assertRoom(state, size);
  const ids = read.map((_, index) => lastId + 1 + index);
  return read.map(({ recipient, editedAt, words }, index) => ({
    type: 'DraftCreated',
    data: {
      userId,
      draftId: lastId + 1 + index,
      keyId: facts.keyId(index),
      recipient,
      editedAt,
      ...(index === ids.length - 1 && { createdIds: ids }),
      words,
    },
  }));
};

/** Replaces a draft. */
export class EditDraft extends Command<{ userId: number; draftId: number; draft: WrittenDraft }> {}

interface EditDraftFacts extends DraftFacts {
  readonly keyId: string;
}

export const decideEditDraft: Decide<EditDraft, DraftsState, DraftEdited, EditDraftFacts> = (
  { userId, draftId, draft },
  state,
  facts,
) => {
  if (!state.isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const known = draftIn(state, draftId) ?? refuse('DRAFT_NOT_FOUND');
  const { keyId: previousKeyId, wordsSha256, recipient, editedAt } = known;
  const { words, ...to } = readDraft(draft, userId, facts);
  const from = { recipient, editedAt };
  if (wordsSha256 === hashOf(words) && isSame(from, to)) return [];
  assertRoom(state, sizeOf(to, words) - known.size);
  return [{ type: 'DraftEdited', data: { userId, draftId, keyId: facts.keyId, previousKeyId, from, to, words } }];
};

const isSame = (a: DraftHead, b: DraftHead): boolean =>
  a.editedAt === b.editedAt && nameOf(a.recipient) === nameOf(b.recipient);

function nameOf(recipient: DraftRecipient): string {
  switch (recipient.type) {
    case 'unaddressed':
      return recipient.type;
    case 'channel':
      return `${recipient.type} ${recipient.channelId}`;
    case 'direct':
      return `${recipient.type} ${recipient.userIds.join()}`;
  }
}

export class DeleteDraft extends Command<{ userId: number; draftId: number }> {}

export const decideDeleteDraft: Decide<DeleteDraft, DraftsState, DraftDeleted> = ({ userId, draftId }, state) => {
  if (!state.isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const { keyId, recipient, editedAt } = draftIn(state, draftId) ?? refuse('DRAFT_NOT_FOUND');
  return [{ type: 'DraftDeleted', data: { userId, draftId, keyId, recipient, editedAt, isWithdrawn: false } }];
};

/** Drafts of one append; the next call withdraws more. */
const MOST_AT_ONCE = 100;

/** Deletes the drafts that existed when their writer turned synchronization off. */
export class WithdrawDrafts {
  constructor(
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideWithdrawDrafts: Decide<WithdrawDrafts, DraftsState, DraftDeleted> = (
  { userId },
  { byId, withdrawnThrough },
) =>
  [...byId]
    .filter(([draftId]) => draftId <= withdrawnThrough)
    .sort(([a], [b]) => a - b)
    .slice(0, MOST_AT_ONCE)
    .map(([draftId, { keyId, recipient, editedAt }]) => ({
      type: 'DraftDeleted',
      data: { userId, draftId, keyId, recipient, editedAt, isWithdrawn: true },
    }));
