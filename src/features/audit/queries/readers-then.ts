import { type DirectoryEvent, isDirectoryEvent } from '../../../directory/directory.changes.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { type ChannelMessagePlace, mayRead } from '../../../directory/readable-messages.js';
import { CHANNELS_STREAM } from '../../../events/channels/channels.events.js';
import { subscriptionsStream } from '../../../events/channels/subscriptions.events.js';
import type { Recipient } from '../../../events/messages/messages.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import { USER_GROUPS_STREAM } from '../../../events/user-groups/user-groups.events.js';
import { USERS_STREAM } from '../../../events/users/users.events.js';
import { assertConnected, type ClientConnection } from '../../../platform/kernel/client-connection.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Position } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import type { AuditLog } from '../log/audit-log.js';

/** An account that could read a message, with its name as of then. */
export interface ReaderThen {
  readonly user_id: number;
  readonly name: string;
}

type PlaceThen = Omit<ChannelMessagePlace, 'type' | 'channelId'> & { readonly place: Recipient };

export interface Then {
  /** Right after this event. */
  readonly position: Position;
  /** Milliseconds since 1970: waiting periods end by this clock. */
  readonly at: number;
}

/** Accounts that are looked at before other requests run. */
const AT_ONCE = 500;

/** Events by which accounts and the channel change who reads. Others of these streams are left out. */
const DECIDING: ReadonlySet<DirectoryEvent['type']> = new Set([
  ...(['OrganizationCreated', 'RealmSettingChanged'] as const),
  ...(['UserCreated', 'BotCreated', 'UserRenamed', 'UserRoleChanged', 'UserDeactivated', 'UserReactivated'] as const),
  ...(['ChannelCreated', 'ChannelPrivacyChanged', 'ChannelPermissionChanged'] as const),
  ...(['ChannelArchived', 'ChannelUnarchived', 'UsersSubscribed', 'UsersUnsubscribed'] as const),
  ...(['UserGroupCreated', 'UserGroupDeactivated', 'UserGroupReactivated'] as const),
  ...(['UserGroupMembersAdded', 'UserGroupMembersRemoved'] as const),
  ...(['UserGroupSubgroupsAdded', 'UserGroupSubgroupsRemoved'] as const),
]);

/**
 * The active accounts that could read a message that was not deleted, by id. Folds the streams that decide it: this
 * version's rules are applied to the accounts, groups, channel and subscriptions of then.
 */
export async function readersThen(
  { place, ...arrival }: PlaceThen,
  then: Then,
  log: AuditLog,
  connection: ClientConnection,
): Promise<readonly ReaderThen[]> {
  const directory = await directoryThen(place, then, log, connection);
  const message =
    place.type === 'direct'
      ? ({ type: 'direct', participants: place.userIds, text: '' } as const)
      : ({ type: 'channel', channelId: place.channelId, ...arrival, text: '' } as const);
  const readers: UserRecord[] = [];
  for (const [at, user] of directory.allUsers().entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextSlice();
    if (user.isActive && mayRead(user, message, directory)) readers.push(user);
  }
  return readers.map(({ _id, fullName }) => ({ user_id: _id, name: fullName }));
}

/** The organization as it was, as far as it decides who reads in a place. */
async function directoryThen(
  place: Recipient,
  { position, at }: Then,
  log: AuditLog,
  connection: ClientConnection,
): Promise<Directory> {
  const directory = new Directory(() => at);
  const streams =
    place.type === 'direct'
      ? [USERS_STREAM]
      : [
          ...[ORGANIZATION_STREAM, USERS_STREAM, USER_GROUPS_STREAM, CHANNELS_STREAM],
          subscriptionsStream(place.channelId),
        ];
  for (const stream of streams)
    for await (const event of log.streamUpTo(stream, position)) {
      assertConnected(connection);
      if (decides(event, place)) directory.apply(event);
    }
  return directory;
}

function decides(event: Recorded, place: Recipient): event is Recorded<DirectoryEvent> {
  if (!isDirectoryEvent(event) || !DECIDING.has(event.type)) return false;
  const { data } = event;
  if (place.type === 'direct') return 'userId' in data && place.userIds.includes(data.userId);
  return !('channelId' in data) || data.channelId === place.channelId;
}
