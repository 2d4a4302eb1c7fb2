import { createHash } from 'node:crypto';
import { Map as PersistentMap } from 'immutable';
import type { Decider } from '../../kernel/decider.js';
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
}

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
export const drafts: Decider<DraftsState, DraftEvent> = {
  initialState: { byId: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    switch (event.type) {
      case 'DraftCreated': {
        const { draftId, keyId, words } = event.data;
        return { byId: state.byId.set(draftId, draftOf(event.data, keyId, words)), lastId: draftId };
      }
      case 'DraftEdited': {
        const { draftId, keyId, to, words } = event.data;
        return { ...state, byId: state.byId.set(draftId, draftOf(to, keyId, words)) };
      }
      case 'DraftDeleted':
        return { ...state, byId: state.byId.delete(event.data.draftId) };
      default:
        event satisfies never;
        return state;
    }
  },
};
