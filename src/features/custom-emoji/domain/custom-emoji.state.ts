import { Map as ImmutableMap } from 'immutable';
import type { CustomEmojiEvent } from '../../../events/custom-emoji/custom-emoji.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';

export interface CustomEmojiState {
  /** Highest id ever used, which is the number of emoji ever added. */
  readonly lastId: number;
  /** By name. */
  readonly active: ImmutableMap<string, { readonly id: number; readonly authorId: number }>;
}

export const customEmoji: Decider<CustomEmojiState, CustomEmojiEvent> = {
  initialState: { lastId: 0, active: ImmutableMap() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'CustomEmojiAdded': {
        const { emojiId: id, name, authorId } = event.data;
        return { lastId: Math.max(state.lastId, id), active: state.active.set(name, { id, authorId }) };
      }
      case 'CustomEmojiDeactivated':
        return { ...state, active: state.active.delete(event.data.name) };
      default:
        event satisfies never;
        return state;
    }
  },
};

/** A name as it is stored. */
export const nameOf = (given: string): string => given.trim().replaceAll(' ', '_');
