import type { Emoji } from '../../src/events/messages/message.events.js';
import type { StatusField, UserStatusEvent } from '../../src/events/user-status/user-status.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { OwnDocuments } from '../../src/platform/read-models/projection.js';
import { type OwnItems, type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { clientEvent, EVERYONE } from '../client-events/client-event.js';
import { written } from '../client-events/written.js';

/** The words and the emoji of a status; at least one is set. */
export interface UserStatus {
  /** Empty: none. */
  readonly text: string;
  readonly emoji: Emoji | null;
}

export interface UserStatusDocument extends UserStatus, UserItem {}

/** Names the user and the parts that are told, which are filled in when the client event is sent; or tells `away`. */
export type UserStatusPayload =
  | { readonly userId: number; readonly told: readonly StatusField[] }
  | { readonly userId: number; readonly away: boolean };

export const statusUpdate = clientEvent<UserStatusPayload>()({ kind: 'user_status', rank: 1024, part: 'user_status' });

/** A user has one status, under this name. */
export const STATUS = 'status';

/** Statuses of users. A text whose key is destroyed is left out. */
export const userStatuses = userList<UserStatusEvent, UserStatusDocument>({
  name: 'user-statuses',
  version: 1,
  holdsContent: true,
  items: 'statuses',
  indexes: [{ keys: { userId: 1 } }],
  order: { _id: 1 },
  // The newest change is looked up: everybody reads all statuses together.
  owner: { collection: 'owners', indexes: [{ keys: { position: 1 } }], initial: {}, changed: () => ({}) },
  on: {
    UserStatusTextSet: ({ data: { words } }, own) => changed(own, { text: words?.text ?? '' }),
    UserStatusTextReplaced: ({ data: { words } }, own) => changed(own, { text: words?.text ?? '' }),
    UserStatusTextCleared: (_, own) => changed(own, { text: '' }),
    UserStatusEmojiChanged: ({ data: { to } }, own) => changed(own, { emoji: to }),
  },
  told: {
    UserStatusTextSet: toldToAll,
    UserStatusTextReplaced: toldToAll,
    UserStatusTextCleared: toldToAll,
    UserStatusEmojiChanged: toldToAll,
  },
});

async function changed(own: OwnItems<UserStatusDocument>, change: Partial<UserStatus>) {
  const [before] = await own.all();
  const { text, emoji } = { text: before?.text ?? '', emoji: before?.emoji ?? null, ...change };
  return [text === '' && emoji === null ? own.remove(STATUS) : own.put(STATUS, { text, emoji })];
}

function toldToAll(event: Recorded<UserStatusEvent>, documents: OwnDocuments) {
  const { userId, told } = event.data;
  return written(event, documents, told.length === 0 ? [] : [statusUpdate.of(event, EVERYONE, { userId, told })]);
}
