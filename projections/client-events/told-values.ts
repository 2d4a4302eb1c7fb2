import type { UserRecord } from '../../src/directory/directory.records.js';
import type { GroupSettingValue } from '../../src/kernel/group-setting.js';
import type { OwnDocuments } from '../projection.js';

/**
 * Those whose accounts could be used, as of the event: clients know of no others in groups.
 * @param besides whom the event itself lets in again
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

/** A permission as clients are told of it. */
export async function toldValue(
  value: GroupSettingValue,
  documents: OwnDocuments,
  besides?: number,
): Promise<GroupSettingValue> {
  if (typeof value === 'number') return value;
  return { ...value, direct_members: await activeOnly(value.direct_members, documents, besides) };
}
