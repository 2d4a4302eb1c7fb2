import { createHash } from 'node:crypto';
import { Map as PersistentMap } from 'immutable';
import type { Decider } from '../../kernel/decider.js';
import { DEFAULT_USER_SETTINGS } from '../../personal/domain/user.settings.js';
import type { UserSettingChanged } from '../../personal/domain/user-settings.events.js';
import type { DraftEvent, DraftHead, DraftWords } from './drafts.events.js';

/** Holds none of the words, so that a state that is remembered keeps no secret of a deleted draft. */
export interface Draft extends DraftHead {
  /** Names the key of its words. */
  readonly keyId: string;
  /** Hexadecimal; null where the key is gone. */
  readonly wordsSha256: string | null;
}

export interface DraftsState {
  readonly byId: PersistentMap<number, Draft>;
  /** 0: there has been none. */
  readonly lastId: number;
  /** The user's drafts are kept here at all. */
  readonly isSynchronized: boolean;
  /** Drafts up to this one were there when the user had them no longer kept: they go, whatever they want since. */
  readonly withdrawnThrough: number;
}

/** Decides with drafts whether they are kept. */
export const SYNCHRONIZATION = 'enable_drafts_synchronization';

/** One that is there, and not about to go. */
export const draftIn = ({ byId, withdrawnThrough }: DraftsState, draftId: number): Draft | undefined =>
  draftId > withdrawnThrough ? byId.get(draftId) : undefined;

export const sha256Of = ({ topic, text }: DraftWords): string =>
  createHash('sha256')
    .update(JSON.stringify([topic, text]), 'utf8')
    .digest('hex');

const draftOf = ({ recipient, editedAt }: DraftHead, keyId: string, words: DraftWords | null): Draft => ({
  recipient,
  editedAt,
  keyId,
  wordsSha256: words && sha256Of(words),
});

/** What else is in the stream of a user is nothing to their drafts. */
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
