import type { OrganizationRecord, UserRecord } from '../../src/directory/directory.records.js';
import { PLAIN_REALM_DEFAULTS } from '../../src/events/organization/realm.settings.js';
import { SYSTEM_GROUP_IDS, type SystemGroupName } from '../../src/events/shared/group-setting.js';
import { ROLES, type Role } from '../../src/events/shared/role.js';
import { DAY_MS } from '../../src/platform/kernel/durations.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { OwnDocuments } from '../../src/platform/read-models/projection.js';
import { EVERYONE } from './client-event.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { userGroupAddMembers, userGroupRemoveMembers } from './user-groups.js';

const GROUP_OF_ROLE = {
  [ROLES.owner]: 'role:owners',
  [ROLES.administrator]: 'role:administrators',
  [ROLES.moderator]: 'role:moderators',
  [ROLES.member]: 'role:members',
  [ROLES.guest]: 'role:everyone',
} as const satisfies Record<Role, SystemGroupName>;

const MEMBERS = SYSTEM_GROUP_IDS['role:members'];
const FULL_MEMBERS = SYSTEM_GROUP_IDS['role:fullmembers'];

/** Gives the time until members become full members, as of the event, in ms. */
async function waitingPeriod(documents: OwnDocuments): Promise<number> {
  const organization = await documents.collection<OrganizationRecord>('organization').findOne({ _id: 'organization' });
  return (organization?.settings.waiting_period_threshold ?? PLAIN_REALM_DEFAULTS.waiting_period_threshold) * DAY_MS;
}

/**
 * Lists the system groups with direct members of the role, as of the event. Nobody is told when a user becomes a full
 * member at the end of the waiting period: there is no event.
 */
async function groupsOf(role: Role, createdAt: number, event: Recorded, documents: OwnDocuments): Promise<number[]> {
  const own = SYSTEM_GROUP_IDS[GROUP_OF_ROLE[role]];
  if (own !== MEMBERS || event.metadata.at - createdAt < (await waitingPeriod(documents))) return [own];
  return [MEMBERS, FULL_MEMBERS];
}

/** Tells which system groups a new or reactivated account joins. */
export async function joinedSystemGroups(
  event: Recorded,
  user: Pick<UserRecord, '_id' | 'role' | 'createdAt'>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const groupIds = await groupsOf(user.role, user.createdAt, event, documents);
  return groupIds.map((groupId, nth) => membersAdded(event, groupId, [user._id], nth));
}

/** Tells which system groups an account joins and leaves by a change of role. @param user the account after the event */
export async function changedSystemGroups(
  event: Recorded<{ type: 'UserRoleChanged'; data: { userId: number; from: Role; to: Role } }>,
  { createdAt, isActive }: Pick<UserRecord, 'createdAt' | 'isActive'>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  if (!isActive) return [];
  const { userId, from, to } = event.data;
  const before = await groupsOf(from, createdAt, event, documents);
  const after = await groupsOf(to, createdAt, event, documents);
  return [
    ...before.filter((id) => !after.includes(id)).map((id, nth) => membersRemoved(event, id, [userId], nth)),
    ...after.filter((id) => !before.includes(id)).map((id, nth) => membersAdded(event, id, [userId], nth)),
  ];
}

/** Tells who becomes or ceases to be a full member when the waiting period changes. @param from in days @param to in days */
export async function changedFullMembers(
  event: Recorded,
  from: number,
  to: number,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const users = await documents.collection<UserRecord>('users').find({ _id: { $gt: 0 } }, { sort: { _id: 1 } });
  const between = users.filter(({ role, isActive, createdAt }) => {
    const waited = event.metadata.at - createdAt;
    return isActive && role === ROLES.member && waited >= from * DAY_MS !== waited >= to * DAY_MS;
  });
  if (between.length === 0) return [];
  const change = to < from ? membersAdded : membersRemoved;
  return [
    change(
      event,
      FULL_MEMBERS,
      between.map(({ _id }) => _id),
      0,
    ),
  ];
}

const membersAdded = (event: Recorded, group_id: number, user_ids: number[], nth: number): ClientEventDocument =>
  userGroupAddMembers.of(event, EVERYONE, { group_id, user_ids }, { nth });

const membersRemoved = (event: Recorded, group_id: number, user_ids: number[], nth: number): ClientEventDocument =>
  userGroupRemoveMembers.of(event, EVERYONE, { group_id, user_ids }, { nth });
