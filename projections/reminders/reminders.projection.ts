import type { ReminderEvent } from '../../src/events/reminders/reminders.events.js';
import { type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { clientEvent, staticClientEvent } from '../client-events/client-event.js';
import { toldToOwner } from '../client-events/written.js';

/** A reminder that is not sent yet. */
export interface ReminderDocument extends UserItem {
  readonly reminderId: number;
  /** The message that the user wants to be reminded of. */
  readonly messageId: number;
  /** Milliseconds since 1970. */
  readonly sendAt: number;
  /** The content key of the note. */
  readonly keyId: string;
  /** Empty: none. */
  readonly note: string;
}

const PART = 'reminders';

/** Names the reminder. Its content is filled in when the client event is sent. */
export const remindersAdd = clientEvent<{ readonly reminderId: number }>()({
  kind: 'reminders/add',
  rank: 1024,
  part: PART,
});

export const remindersRemove = staticClientEvent<{ readonly reminder_id: number }>()({
  kind: 'reminders/remove',
  rank: 1024,
  part: PART,
});

const removed = ({ reminderId }: { readonly reminderId: number }) => ({ reminder_id: reminderId });

/** Reminders that users have set, the next first. One whose key is destroyed is left out. */
export const reminders = userList<ReminderEvent, ReminderDocument>({
  name: 'reminders',
  version: 1,
  holdsContent: true,
  items: 'reminders',
  indexes: [{ keys: { userId: 1, sendAt: 1, reminderId: 1 } }, { keys: { sendAt: 1 } }],
  order: { sendAt: 1, reminderId: 1 },
  on: {
    ReminderSet: ({ data: { reminderId, messageId, sendAt, keyId, words } }, own) => [
      words === null
        ? own.remove(reminderId)
        : own.put(reminderId, { reminderId, messageId, sendAt, keyId, note: words.note }),
    ],
    ReminderDeleted: ({ data: { reminderId } }, own) => [own.remove(reminderId)],
    // Clients see no more of it than before.
    ReminderSendBegun: () => null,
    ReminderSent: ({ data: { reminderId } }, own) => [own.remove(reminderId)],
  },
  told: toldToOwner<ReminderEvent>({
    ReminderSet: (event, own) => [remindersAdd.of(event, own, { reminderId: event.data.reminderId })],
    ReminderDeleted: (event, own) => [remindersRemove.of(event, own, removed(event.data))],
    ReminderSent: (event, own) => [remindersRemove.of(event, own, removed(event.data))],
  }),
});
