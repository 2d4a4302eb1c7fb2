import {
  type AnonymousGroup,
  type GroupSettingValue,
  isSystemGroupId,
  SYSTEM_GROUP_IDS,
} from '../events/shared/group-setting.js';
import { ROLES } from '../events/shared/role.js';
import type { Position } from '../platform/kernel/position.js';
import { foldCase } from '../platform/kernel/text.js';
import type { MembershipRecord, PositionInterval, UserGroupRecord, UserRecord } from './directory.records.js';
import { covers } from './intervals.js';

/** All members of a group, direct ones and members of nested groups. */
interface AllMembers {
  /** Users with this role or a stronger one are members; 0: no role is enough. */
  readonly role: number;
  /** Whether full members are in the group too: users with the role `member` whose waiting period is over. */
  readonly fullMembers: boolean;
  readonly userIds: ReadonlySet<number>;
}

/** Members of the system groups, by group id. Each group holds the next narrower one. */
const SYSTEM_MEMBERS: ReadonlyMap<number, Omit<AllMembers, 'userIds'>> = new Map([
  [SYSTEM_GROUP_IDS['role:internet'], { role: ROLES.guest, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:everyone'], { role: ROLES.guest, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:members'], { role: ROLES.member, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:fullmembers'], { role: ROLES.moderator, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:moderators'], { role: ROLES.moderator, fullMembers: false }],
  [SYSTEM_GROUP_IDS['role:administrators'], { role: ROLES.administrator, fullMembers: false }],
  [SYSTEM_GROUP_IDS['role:owners'], { role: ROLES.owner, fullMembers: false }],
  [SYSTEM_GROUP_IDS['role:nobody'], { role: 0, fullMembers: false }],
]);

/** The organization's groups and their members, in memory. A check costs one look-up however deep groups nest. */
export class GroupIndex {
  private readonly groups = new Map<number, UserGroupRecord>();
  private readonly idByName = new Map<string, number>();
  private readonly byGroup = new Map<number, Map<number, MembershipRecord>>();
  private readonly byUser = new Map<number, Map<number, MembershipRecord>>();
  /** Computed at the first use, and dropped when a group changes. */
  private allMembers = new Map<number, AllMembers>();
  private allMembersOfAnonymous = new WeakMap<AnonymousGroup, AllMembers>();

  group(id: number): UserGroupRecord | undefined {
    return this.groups.get(id);
  }

  /** Ignores case. */
  groupByName(name: string): UserGroupRecord | undefined {
    const id = this.idByName.get(foldCase(name));
    return id === undefined ? undefined : this.groups.get(id);
  }

  /** Groups that people have made, deactivated ones included; by id. */
  all(): UserGroupRecord[] {
    return [...this.groups.values()].sort((a, b) => a._id - b._id);
  }

  membership(groupId: number, userId: number): MembershipRecord | undefined {
    return this.byGroup.get(groupId)?.get(userId);
  }

  /** Ids of the current direct members, deactivated ones included, ascending. */
  directMemberIds(groupId: number): number[] {
    return open(this.byGroup.get(groupId)).sort((a, b) => a - b);
  }

  /** Ids of the direct members right after the event at `position`, deactivated ones included, ascending. */
  directMemberIdsAfter(groupId: number, position: Position): number[] {
    const members = [...(this.byGroup.get(groupId) ?? [])].filter(([, { intervals }]) => covers(intervals, position));
    return members.map(([userId]) => userId).sort((a, b) => a - b);
  }

  /** Ids of the groups that the user is a direct member of now, ascending. */
  groupIdsOf(userId: number): number[] {
    return open(this.byUser.get(userId)).sort((a, b) => a - b);
  }

  /** Ids of the groups that the group holds directly now, ascending. */
  directSubgroupIds(groupId: number): number[] {
    const intervals = this.groups.get(groupId)?.subgroupIntervals ?? [];
    return intervals.flatMap((interval) => (interval.to === null ? [interval.groupId] : [])).sort((a, b) => a - b);
  }

  /** Ids of all groups that the user has ever been in, directly or through nested groups. Extra ids do no harm. */
  everIn({ _id, roleIntervals }: UserRecord): number[] {
    const found = new Set(this.byUser.get(_id)?.keys());
    for (const [id, { role, fullMembers }] of SYSTEM_MEMBERS)
      if (roleIntervals.some((had) => had.role <= role || (fullMembers && had.role === ROLES.member))) found.add(id);
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      for (const { _id: groupId, subgroupIntervals } of this.groups.values())
        if (subgroupIntervals.some((held) => found.has(held.groupId))) found.add(groupId);
    }
    return [...found].sort((a, b) => a - b);
  }

  putGroup(record: UserGroupRecord): void {
    const before = this.groups.get(record._id);
    if (before) this.idByName.delete(before.nameKey);
    this.groups.set(record._id, record);
    this.idByName.set(record.nameKey, record._id);
    this.forget();
  }

  putMembership(record: MembershipRecord): void {
    nested(this.byGroup, record.groupId).set(record.userId, record);
    nested(this.byUser, record.userId).set(record.groupId, record);
    this.forget();
  }

  /** The users that a permission is given to. */
  allMembersOf(value: GroupSettingValue): AllMembers {
    if (typeof value === 'number') {
      let members = this.allMembers.get(value);
      if (!members) {
        members = this.union([value], []);
        this.allMembers.set(value, members);
      }
      return members;
    }
    let members = this.allMembersOfAnonymous.get(value);
    if (!members) {
      members = this.union(value.direct_subgroups, value.direct_members);
      this.allMembersOfAnonymous.set(value, members);
    }
    return members;
  }

  /**
   * Whether the user was in the group, directly or through nested groups, right after the event at `position`.
   * @param hasWaited whether the user's waiting period is over: a member is a full member
   */
  wasIn(user: UserRecord, value: GroupSettingValue, position: Position, hasWaited: boolean): boolean {
    const role = user.roleIntervals.find((interval) => covers([interval], position))?.role ?? user.role;
    const seen = new Set<number>();
    const isIn = (groupId: number): boolean => {
      if (seen.has(groupId)) return false;
      seen.add(groupId);
      const system = SYSTEM_MEMBERS.get(groupId);
      if (system) return role <= system.role || (system.fullMembers && role === ROLES.member && hasWaited);
      if (covers(this.membership(groupId, user._id)?.intervals, position)) return true;
      const subgroups = this.groups.get(groupId)?.subgroupIntervals ?? [];
      return subgroups.some((interval) => covers([interval], position) && isIn(interval.groupId));
    };
    if (typeof value === 'number') return isIn(value);
    return value.direct_members.includes(user._id) || value.direct_subgroups.some(isIn);
  }

  private union(groupIds: readonly number[], members: readonly number[]): AllMembers {
    let role = 0;
    let fullMembers = false;
    const userIds = new Set(members);
    const seen = new Set<number>();
    const pending = [...groupIds];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const system = SYSTEM_MEMBERS.get(id);
      if (system) {
        role = Math.max(role, system.role);
        fullMembers ||= system.fullMembers;
      }
      if (isSystemGroupId(id)) continue;
      for (const userId of this.directMemberIds(id)) userIds.add(userId);
      pending.push(...this.directSubgroupIds(id));
    }
    return { role, fullMembers, userIds };
  }

  private forget(): void {
    if (this.allMembers.size > 0) this.allMembers = new Map();
    this.allMembersOfAnonymous = new WeakMap();
  }
}

/** Keys of the records whose last interval is open. */
const open = (
  records: ReadonlyMap<number, { readonly intervals: readonly PositionInterval[] }> = new Map(),
): number[] => [...records].flatMap(([id, { intervals }]) => (intervals.at(-1)?.to === null ? [id] : []));

export function nested<R>(maps: Map<number, Map<number, R>>, id: number): Map<number, R> {
  let map = maps.get(id);
  if (!map) {
    map = new Map();
    maps.set(id, map);
  }
  return map;
}
