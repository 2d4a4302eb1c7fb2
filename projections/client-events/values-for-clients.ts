import type { UserRecord } from '../../src/directory/directory.records.js';
import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import type { OwnDocuments } from '../../src/platform/read-models/projection.js';

/**
 * Selects the users who were active at the event: clients know only active members of groups.
 * @param besides a user whom the event itself reactivates
 */
export async function activeOnly(
  userIds: readonly number[],
  documents: OwnDocuments,
  besides?: number,
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const users = await documents.collection<UserRecord>('users').find({ _id: { $in: [...userIds] } });
  const active = new Set(users.flatMap(({ _id, isActive }) => (isActive ? [_id] : [])));
  return userIds.filter((userId) => userId === besides || active.has(userId));
}

/** Gives the form of a permission in client events, without deactivated users. */
export async function valueForClients(
  value: GroupSettingValue,
  documents: OwnDocuments,
  besides?: number,
): Promise<GroupSettingValue> {
  if (typeof value === 'number') return value;
  return { ...value, direct_members: await activeOnly(value.direct_members, documents, besides) };
}
