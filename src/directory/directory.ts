import type { DocumentId } from '../document-store/document-store.js';
import type { Recorded } from '../kernel/event.js';
import { fold } from '../kernel/fold.js';
import type { GroupSettingValue } from '../kernel/group-setting.js';
import { type Position, START } from '../kernel/position.js';
import { ROLES, type Role } from '../kernel/role.js';
import type { Linkifier } from '../organization/domain/organization.settings.js';
import { type PlainRealmSettings, REALM_DEFAULTS, type RealmSettings } from '../organization/domain/realm.settings.js';
import { type DirectoryEvent, directoryChanges } from './directory.changes.js';
import type {
  ChannelRecord,
  DirectoryKind,
  DirectoryRecords,
  OrganizationRecord,
  RecordChange,
  SubscriptionRecord,
  UserRecord,
} from './directory.records.js';
import { GroupIndex, nested } from './group-index.js';
import { covers } from './intervals.js';

const DAY_MS = 86_400_000;

const NO_LINKIFIERS: readonly Linkifier[] = [];

/**
 * Everything about the organisation that decides who may do what, in memory (D8): authentication, permissions,
 * audiences. Synchronous; as of `position`. Filled by DirectoryFollower.
 */
export class Directory {
  /** The newest log position that is reflected here. */
  position: Position = START;
  readonly groups = new GroupIndex();

  private organizationRecord: OrganizationRecord | null = null;
  private readonly users = new Map<number, UserRecord>();
  private readonly usersByEmail = new Map<string, number>();
  private readonly usersByName = new Map<string, Set<number>>();
  private readonly usersByKeyHash = new Map<string, number>();
  private readonly channels = new Map<number, ChannelRecord>();
  private readonly channelsByName = new Map<string, number>();
  private readonly byChannel = new Map<number, Map<number, SubscriptionRecord>>();
  private readonly byUser = new Map<number, Map<number, SubscriptionRecord>>();
  /** What registering asks of every channel that a client sees: worked out once for all clients. */
  private readonly subscriberLists = new Map<number, readonly number[]>();
  private realm: RealmSettings = REALM_DEFAULTS;

  /** @param now milliseconds since 1970: waiting periods end by the clock */
  constructor(private readonly now: () => number = Date.now) {}

  /** null until the organisation has been created. */
  get organization(): OrganizationRecord | null {
    return this.organizationRecord;
  }

  /** In order of precedence; the same list until one of them changes. */
  get linkifiers(): readonly Linkifier[] {
    return this.organizationRecord?.linkifiers ?? NO_LINKIFIERS;
  }

  /** Every realm setting, those that nobody has set included. */
  get settings(): RealmSettings {
    return this.realm;
  }

  setting<S extends keyof PlainRealmSettings>(name: S): PlainRealmSettings[S] {
    return this.realm[name];
  }

  user(id: number): UserRecord | undefined {
    return this.users.get(id);
  }

  /** Without regard to case. */
  userByEmail(email: string): UserRecord | undefined {
    return this.lookUp(this.users, this.usersByEmail.get(fold(email)));
  }

  /** Whoever is called so, without regard to case, deactivated ones included; by id. */
  usersNamed(fullName: string): UserRecord[] {
    const ids = [...(this.usersByName.get(fold(fullName)) ?? [])].sort((a, b) => a - b);
    return ids.flatMap((id) => this.users.get(id) ?? []);
  }

  /** @param keyHash SHA-256 of an API key, hexadecimal */
  userByKeyHash(keyHash: string): UserRecord | undefined {
    return this.lookUp(this.users, this.usersByKeyHash.get(keyHash));
  }

  /** By id, deactivated ones included. */
  allUsers(): UserRecord[] {
    return [...this.users.values()].sort((a, b) => a._id - b._id);
  }

  channel(id: number): ChannelRecord | undefined {
    return this.channels.get(id);
  }

  /** Without regard to case. */
  channelByName(name: string): ChannelRecord | undefined {
    return this.lookUp(this.channels, this.channelsByName.get(fold(name)));
  }

  allChannels(): ChannelRecord[] {
    return [...this.channels.values()].sort((a, b) => a._id - b._id);
  }

  /** All that ever were, ended ones included; by user id. */
  subscriptionsIn(channelId: number): ReadonlyMap<number, SubscriptionRecord> {
    return this.byChannel.get(channelId) ?? new Map();
  }

  /** All that ever were, ended ones included; by channel id. */
  subscriptionsOf(userId: number): ReadonlyMap<number, SubscriptionRecord> {
    return this.byUser.get(userId) ?? new Map();
  }

  isSubscribed(userId: number, channelId: number): boolean {
    return this.byChannel.get(channelId)?.get(userId)?.intervals.at(-1)?.to === null;
  }

  /** Whether an event at `position` found the user subscribed (D10: an audience is evaluated as of the event). */
  wasSubscribed(userId: number, channelId: number, position: Position): boolean {
    const intervals = this.byChannel.get(channelId)?.get(userId)?.intervals ?? [];
    return intervals.some(({ from, to }) => from < position && (to === null || position < to));
  }

  /** Whether the user had subscribed before an event at `position`, whether or not they still were. */
  hadSubscribed(userId: number, channelId: number, position: Position): boolean {
    const [first] = this.byChannel.get(channelId)?.get(userId)?.intervals ?? [];
    return first !== undefined && first.from < position;
  }

  /** Whether the account is active and in the group, through any number of groups. */
  isInGroup(user: UserRecord, value: GroupSettingValue): boolean {
    if (!user.isActive) return false;
    const reach = this.groups.reachOf(value);
    if (user.role <= reach.role || reach.userIds.has(user._id)) return true;
    return reach.fullMembers && this.isFullMember(user);
  }

  /** The same once the event at `position` had happened. */
  wasInGroupAfter(userId: number, value: GroupSettingValue, position: Position): boolean {
    const user = this.users.get(userId);
    return (
      user !== undefined &&
      this.wasActiveAfter(userId, position) &&
      this.groups.wasIn(user, value, position, this.hasWaited(user))
    );
  }

  /** Which role an account had once the event at `position` had happened; null before there was one. */
  roleAfter(userId: number, position: Position): Role | null {
    const intervals = this.users.get(userId)?.roleIntervals ?? [];
    return intervals.find((interval) => covers([interval], position))?.role ?? null;
  }

  /** No guest, and with the organisation for as long as it asks of its members; moderators and above always. */
  isFullMember(user: UserRecord): boolean {
    return user.role < ROLES.member || (user.role === ROLES.member && this.hasWaited(user));
  }

  private hasWaited({ createdAt }: UserRecord): boolean {
    return this.now() - createdAt >= this.realm.waiting_period_threshold * DAY_MS;
  }

  /** Whether the account could be used once the event at `position` had happened. */
  wasActiveAfter(userId: number, position: Position): boolean {
    return covers(this.users.get(userId)?.activeIntervals, position);
  }

  /** Active subscribers once the event at `position` had happened, by id. */
  subscriberIdsAfter(channelId: number, position: Position): number[] {
    const ids: number[] = [];
    for (const [userId, { intervals }] of this.subscriptionsIn(channelId)) {
      if (covers(intervals, position) && this.wasActiveAfter(userId, position)) ids.push(userId);
    }
    return ids.sort((a, b) => a - b);
  }

  /** Active direct members of a group once the event at `position` had happened, by id. */
  memberIdsAfter(groupId: number, position: Position): number[] {
    return this.groups
      .directMemberIdsAfter(groupId, position)
      .filter((userId) => this.wasActiveAfter(userId, position));
  }

  /** Current subscribers who are active, by id; the same list until one comes or goes. */
  subscriberIds(channelId: number): readonly number[] {
    const known = this.subscriberLists.get(channelId);
    if (known) return known;
    const ids: number[] = [];
    for (const userId of this.subscriptionsIn(channelId).keys()) {
      if (this.isSubscribed(userId, channelId) && this.users.get(userId)?.isActive) ids.push(userId);
    }
    ids.sort((a, b) => a - b);
    this.subscriberLists.set(channelId, ids);
    return ids;
  }

  /** Ids of the channels that the user is subscribed to now, ascending. */
  subscribedChannelIds(userId: number): number[] {
    return [...this.subscriptionsOf(userId).keys()]
      .filter((channelId) => this.isSubscribed(userId, channelId))
      .sort((a, b) => a - b);
  }

  apply(event: Recorded<DirectoryEvent>): void {
    for (const change of directoryChanges(event, (kind, id) => this.record(kind, id))) this.put(change);
    this.position = Math.max(this.position, event.position);
  }

  put({ kind, record }: RecordChange): void {
    switch (kind) {
      case 'organization':
        this.organizationRecord = record;
        this.realm = { ...REALM_DEFAULTS, ...record.settings };
        return;
      case 'users': {
        const before = this.users.get(record._id);
        if (before) {
          this.usersByEmail.delete(before.emailKey);
          for (const hash of before.keyHashes) this.usersByKeyHash.delete(hash);
        }
        if (before?.fullName !== record.fullName) {
          if (before) this.usersByName.get(fold(before.fullName))?.delete(record._id);
          const name = fold(record.fullName);
          this.usersByName.set(name, (this.usersByName.get(name) ?? new Set()).add(record._id));
        }
        this.users.set(record._id, record);
        if (before?.isActive !== record.isActive)
          for (const channelId of this.subscriptionsOf(record._id).keys()) this.subscriberLists.delete(channelId);
        this.usersByEmail.set(record.emailKey, record._id);
        for (const hash of record.keyHashes) this.usersByKeyHash.set(hash, record._id);
        return;
      }
      case 'channels': {
        const before = this.channels.get(record._id);
        if (before) this.channelsByName.delete(before.nameKey);
        this.channels.set(record._id, record);
        this.channelsByName.set(record.nameKey, record._id);
        return;
      }
      case 'subscriptions':
        this.subscriberLists.delete(record.channelId);
        nested(this.byChannel, record.channelId).set(record.userId, record);
        nested(this.byUser, record.userId).set(record.channelId, record);
        return;
      case 'userGroups':
        this.groups.putGroup(record);
        return;
      case 'memberships':
        this.groups.putMembership(record);
        return;
      default:
        kind satisfies never;
    }
  }

  private record<K extends DirectoryKind>(kind: K, id: DocumentId): DirectoryRecords[K] | undefined {
    return this.find(kind, id) as DirectoryRecords[K] | undefined;
  }

  private find(kind: DirectoryKind, id: DocumentId): DirectoryRecords[DirectoryKind] | undefined {
    switch (kind) {
      case 'organization':
        return this.organizationRecord ?? undefined;
      case 'users':
        return this.users.get(id as number);
      case 'channels':
        return this.channels.get(id as number);
      case 'subscriptions': {
        const [channelId, userId] = String(id).split('/').map(Number);
        return this.byChannel.get(channelId as number)?.get(userId as number);
      }
      case 'userGroups':
        return this.groups.group(id as number);
      case 'memberships': {
        const [groupId, userId] = String(id).split('/').map(Number);
        return this.groups.membership(groupId as number, userId as number);
      }
      default:
        return kind satisfies never;
    }
  }

  private lookUp<R>(records: ReadonlyMap<number, R>, id: number | undefined): R | undefined {
    return id === undefined ? undefined : records.get(id);
  }
}
