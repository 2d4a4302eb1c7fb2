import { Map as PersistentMap } from 'immutable';
import type { ReminderEvent } from '../../../events/reminders/reminders.events.js';
import type { MessageScheduled } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';

/** A reminder without its note: a remembered state keeps no secret of a deleted reminder. */
export type Reminder = {
  /** Id of the content key. */
  readonly keyId: string;
} & (
  | { readonly status: 'waiting' }
  /** `begunAt`: milliseconds since 1970. */
  | { readonly status: 'sending'; readonly begunAt: number }
);

export interface RemindersState {
  readonly byId: PersistentMap<number, Reminder>;
  /** Of reminders and scheduled messages, which have their ids in common. 0: there has been none. */
  readonly lastId: number;
}

/** One user's reminders. Other events of the user's stream do not change them. */
export const reminders: Decider<RemindersState, ReminderEvent | MessageScheduled> = {
  initialState: { byId: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    const { byId } = state;
    switch (event.type) {
      case 'ReminderSet': {
        const { reminderId, keyId } = event.data;
        return { byId: byId.set(reminderId, { keyId, status: 'waiting' }), lastId: reminderId };
      }
      case 'MessageScheduled':
        return { ...state, lastId: event.data.scheduleId };
      case 'ReminderSendBegun': {
        const { reminderId, begunAt } = event.data;
        const reminder = byId.get(reminderId);
        return reminder ? { ...state, byId: byId.set(reminderId, { ...reminder, status: 'sending', begunAt }) } : state;
      }
      case 'ReminderDeleted':
      case 'ReminderSent':
        return { ...state, byId: byId.delete(event.data.reminderId) };
      default:
        event satisfies never;
        return state;
    }
  },
};
