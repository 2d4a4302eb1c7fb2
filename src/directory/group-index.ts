import { fold } from '../kernel/fold.js';
import {
  type AnonymousGroup,
  type GroupSettingValue,
  isSystemGroupId,
  SYSTEM_GROUP_IDS,
} from '../kernel/group-setting.js';
import type { Position } from '../kernel/position.js';
import { ROLES } from '../kernel/role.js';
import type { MembershipRecord, PositionInterval, UserGroupRecord, UserRecord } from './directory.records.js';
import { covers } from './intervals.js';

/** Everybody who is in a group, through any number of groups. */
export interface Reach {
  /** Whoever has this role or a stronger one; 0: no role is enough. */
  readonly role: number;
  /** Members whose waiting period is over. */
  readonly fullMembers: boolean;
  readonly userIds: ReadonlySet<number>;
}

/** What belongs to a system group, by id. Each holds the next narrower one. */
const SYSTEM_REACH: ReadonlyMap<number, Omit<Reach, 'userIds'>> = new Map([
  [SYSTEM_GROUP_IDS['role:internet'], { role: ROLES.guest, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:everyone'], { role: ROLES.guest, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:members'], { role: ROLES.member, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:fullmembers'], { role: ROLES.moderator, fullMembers: true }],
  [SYSTEM_GROUP_IDS['role:moderators'], { role: ROLES.moderator, fullMembers: false }],
  [SYSTEM_GROUP_IDS['role:administrators'], { role: ROLES.administrator, fullMembers: false }],
  [SYSTEM_GROUP_IDS['role:owners'], { role: ROLES.owner, fullMembers: false }],
  [SYSTEM_GROUP_IDS['role:nobody'], { role: 0, fullMembers: false }],
]);

/** The groups of the organisation in memory, and who is in them. A check costs one look-up however deep groups nest. */
export class GroupIndex {
  private readonly groups = new Map<number, UserGroupRecord>();
  private readonly idByName = new Map<string, number>();
  private readonly byGroup = new Map<number, Map<number, MembershipRecord>>();
  private readonly byUser = new Map<number, Map<number, MembershipRecord>>();
  /** Worked out when first asked for, until a group changes. */
  private reaches = new Map<number, Reach>();
  private anonymousReaches = new WeakMap<AnonymousGroup, Reach>();

  group(id: number): UserGroupRecord | undefined {
    return this.groups.get(id);
  }

  /** Without regard to case. */
  groupByName(name: string): UserGroupRecord | undefined {
    const id = this.idByName.get(fold(name));
    return id === undefined ? undefined : this.groups.get(id);
  }

  /** Those that people have made, deactivated ones included; by id. */
  all(): UserGroupRecord[] {
    return [...this.groups.values()].sort((a, b) => a._id - b._id);
  }

  membership(groupId: number, userId: number): MembershipRecord | undefined {
    return this.byGroup.get(groupId)?.get(userId);
  }

  /** Users who are direct members now, deactivated ones included; by id. */
  directMemberIds(groupId: number): number[] {
    return open(this.byGroup.get(groupId)).sort((a, b) => a - b);
  }

  /** Users who were direct members once the event at `position` had happened, deactivated ones included; by id. */
  directMemberIdsAfter(groupId: number, position: Position): number[] {
    const members = [...(this.byGroup.get(groupId) ?? [])].filter(([, { intervals }]) => covers(intervals, position));
    return members.map(([userId]) => userId).sort((a, b) => a - b);
  }

  /** Groups whose direct member the user is now, by id. */
  groupIdsOf(userId: number): number[] {
    return open(this.byUser.get(userId)).sort((a, b) => a - b);
  }

  /** Groups that the group holds directly now, by id. */
  directSubgroupIds(groupId: number): number[] {
    const intervals = this.groups.get(groupId)?.subgroupIntervals ?? [];
    return intervals.flatMap((interval) => (interval.to === null ? [interval.groupId] : [])).sort((a, b) => a - b);
  }

  /** Groups that somebody has ever been in, through any number of groups; a candidate more does no harm. */
  everIn({ _id, roleIntervals }: UserRecord): number[] {
    const found = new Set(this.byUser.get(_id)?.keys());
    for (const [id, { role, fullMembers }] of SYSTEM_REACH)
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

  /** Everybody whom a permission is given to. */
  reachOf(value: GroupSettingValue): Reach {
    if (typeof value === 'number') {
      let reach = this.reaches.get(value);
      if (!reach) {
        reach = this.union([value], []);
        this.reaches.set(value, reach);
      }
      return reach;
    }
    let reach = this.anonymousReaches.get(value);
    if (!reach) {
      reach = this.union(value.direct_subgroups, value.direct_members);
      this.anonymousReaches.set(value, reach);
    }
    return reach;
  }

  /**
   * Whether a user was in the group, through any number of groups, once the event at `position` had happened.
   * @param hasWaited whether the user is a full member wherever a member
   */
  wasIn(user: UserRecord, value: GroupSettingValue, position: Position, hasWaited: boolean): boolean {
    const role = user.roleIntervals.find((interval) => covers([interval], position))?.role ?? user.role;
    const seen = new Set<number>();
    const isIn = (groupId: number): boolean => {
      if (seen.has(groupId)) return false;
      seen.add(groupId);
      const system = SYSTEM_REACH.get(groupId);
      if (system) return role <= system.role || (system.fullMembers && role === ROLES.member && hasWaited);
      if (covers(this.membership(groupId, user._id)?.intervals, position)) return true;
      const subgroups = this.groups.get(groupId)?.subgroupIntervals ?? [];
      return subgroups.some((interval) => covers([interval], position) && isIn(interval.groupId));
    };
    if (typeof value === 'number') return isIn(value);
    return value.direct_members.includes(user._id) || value.direct_subgroups.some(isIn);
  }

  private union(groupIds: readonly number[], members: readonly number[]): Reach {
    let role = 0;
    let fullMembers = false;
    const userIds = new Set(members);
    const seen = new Set<number>();
    const pending = [...groupIds];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const system = SYSTEM_REACH.get(id);
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
    if (this.reaches.size > 0) this.reaches = new Map();
    this.anonymousReaches = new WeakMap();
  }
}

/** Keys of the records that hold now. */
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
