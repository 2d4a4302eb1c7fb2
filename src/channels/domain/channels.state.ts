import { Map as PersistentMap } from 'immutable';
import type { Decider } from '../../kernel/decider.js';
import { fold } from '../../kernel/fold.js';
import type { ChannelEvent } from './channels.events.js';

export interface ChannelsState {
  /** Folded name → channel id. */
  readonly idByName: PersistentMap<string, number>;
  readonly lastId: number;
}

export const channels: Decider<ChannelsState, ChannelEvent> = {
  initialState: { idByName: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ChannelCreated':
        return {
          idByName: state.idByName.set(fold(event.data.name), event.data.channelId),
          lastId: Math.max(state.lastId, event.data.channelId),
        };
      default:
        return state;
    }
  },
};
