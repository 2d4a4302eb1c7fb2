import { Map as PersistentMap } from 'immutable';
import {
  type DraftEvent,
  type DraftHead,
  type DraftWords,
  SYNCHRONIZATION,
} from '../../../events/drafts/drafts.events.js';
import { DEFAULT_USER_SETTINGS } from '../../../events/personal/user.settings.js';
import type { UserSettingChanged } from '../../../events/personal/user-settings.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';
import { type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

/** A draft without its content: a remembered state keeps no secret of a deleted draft. */
export interface Draft extends DraftHead {
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
export const draftIn = ({ byId, withdrawnThrough }: DraftsState, draftId: number): Draft | undefined =>
  draftId > withdrawnThrough ? byId.get(draftId) : undefined;

export const hashOf = ({ topic, text }: DraftWords): string => sha256Of(JSON.stringify([topic, text]));

/** Size of a draft in bytes as JSON. */
export const sizeOf = ({ recipient }: DraftHead, words: DraftWords | null): number => bytesInJson([recipient, words]);

/** @param growth bytes that the drafts would take more @throws DomainError DRAFTS_TOO_LARGE */
export function assertRoom({ byId }: DraftsState, growth: number): void {
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
