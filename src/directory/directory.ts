import type { Linkifier } from '../events/organization/organization.settings.js';
import {
  type PlainRealmSettings,
  REALM_DEFAULTS,
  type RealmSettings,
  settingsInForce,
} from '../events/organization/realm.settings.js';
import type { GroupSettingValue } from '../events/shared/group-setting.js';
import { ROLES, type Role } from '../events/shared/role.js';
import { BOT_TYPES } from '../events/users/users.settings.js';
import type { DocumentId } from '../platform/documents/document-store.js';
import { refuse } from '../platform/kernel/deciding.js';
import { DAY_MS } from '../platform/kernel/durations.js';
import type { Recorded } from '../platform/kernel/event.js';
import { type Position, START } from '../platform/kernel/position.js';
import { foldCase } from '../platform/kernel/text.js';
import { CustomEmojis } from './custom-emoji.js';
import { type DirectoryEvent, directoryChanges } from './directory.changes.js';
import type {
  ChannelRecord,
  CustomEmojiRecord,
  DirectoryKind,
  DirectoryRecords,
  OrganizationRecord,
  RecordChange,
  SubscriptionRecord,
  UserRecord,
} from './directory.records.js';
import { GroupIndex, nested } from './group-index.js';
import { covers } from './intervals.js';

const NO_LINKIFIERS: readonly Linkifier[] = [];
const NO_CUSTOM_EMOJI: readonly CustomEmojiRecord[] = [];

/**
 * The organization's records in memory (D8), for authentication, permissions and audiences. Synchronous. Reflects the
 * log up to `position`; DirectoryFollower fills it.
 */
export class Directory {
  /** The newest log position that the directory reflects. */
  position: Position = START;
  readonly groups = new GroupIndex();

  private organizationRecord: OrganizationRecord | null = null;
  private readonly users = new Map<number, UserRecord>();
  private readonly usersByEmail = new Map<string, number>();
  private readonly usersByName = new Map<string, Set<number>>();
  private readonly usersByKeyHash = new Map<string, number>();
  private readonly webhookBots = new Set<number>();
  private readonly channels = new Map<number, ChannelRecord>();
  private readonly channelsByName = new Map<string, number>();
  private readonly byChannel = new Map<number, Map<number, SubscriptionRecord>>();
  private readonly byUser = new Map<number, Map<number, SubscriptionRecord>>();
  /** Ids of each channel's active subscribers, computed once for all clients: registering needs every channel's. */
  private readonly subscriberLists = new Map<number, readonly number[]>();
  private realm: RealmSettings = REALM_DEFAULTS;
  private emojis = new CustomEmojis(NO_CUSTOM_EMOJI);

  /** @param now milliseconds since 1970; waiting periods end by this clock */
  constructor(private readonly now: () => number = Date.now) {}

  /** null until the organization has been created. */
  get organization(): OrganizationRecord | null {
    return this.organizationRecord;
  }

  /** In order of precedence. The list stays the same object until a linkifier changes. */
  get linkifiers(): readonly Linkifier[] {
    return this.organizationRecord?.linkifiers ?? NO_LINKIFIERS;
  }

  /** The organization's own emoji. The same object until one of them changes. */
  get customEmoji(): CustomEmojis {
    const all = this.organizationRecord?.customEmoji ?? NO_CUSTOM_EMOJI;
    if (this.emojis.all !== all) this.emojis = new CustomEmojis(all);
    return this.emojis;
  }

  /** The languages that messages were written in, as the organization's `default_language` says: today's first. */
  searchLanguages(): readonly string[] {
    return [...new Set([this.setting('default_language'), ...(this.organizationRecord?.pastLanguages ?? [])])];
  }

  /** Every realm setting, with the defaults of those not set. */
  get settings(): RealmSettings {
    return this.realm;
  }

  setting<S extends keyof PlainRealmSettings>(name: S): PlainRealmSettings[S] {
    return this.realm[name];
  }

  user(id: number): UserRecord | undefined {
    return this.users.get(id);
  }

  /** @throws DomainError USER_NOT_FOUND */
  existingUser(id: number): UserRecord {
    return this.users.get(id) ?? refuse('USER_NOT_FOUND');
  }

  /** Ignores case. */
  userByEmail(email: string): UserRecord | undefined {
    return this.lookUp(this.users, this.usersByEmail.get(foldCase(email)));
  }

  /** Users of that name, ignoring case, deactivated ones included; by id. */
  usersNamed(fullName: string): UserRecord[] {
    const ids = [...(this.usersByName.get(foldCase(fullName)) ?? [])].sort((a, b) => a - b);
    return ids.flatMap((id) => this.users.get(id) ?? []);
  }

  /** @param keyHash SHA-256 of an API key, hexadecimal */
  userByKeyHash(keyHash: string): UserRecord | undefined {
    return this.lookUp(this.users, this.usersByKeyHash.get(keyHash));
  }

  /** All users by id, deactivated ones included. */
  allUsers(): UserRecord[] {
    return [...this.users.values()].sort((a, b) => a._id - b._id);
  }

  /** Ids of the outgoing webhook bots, deactivated ones included. */
  allWebhookBots(): ReadonlySet<number> {
    return this.webhookBots;
  }

  channel(id: number): ChannelRecord | undefined {
    return this.channels.get(id);
  }

  /** Ignores case. */
  channelByName(name: string): ChannelRecord | undefined {
    return this.lookUp(this.channels, this.channelsByName.get(foldCase(name)));
  }

  allChannels(): ChannelRecord[] {
    return [...this.channels.values()].sort((a, b) => a._id - b._id);
  }

  /** All subscriptions to the channel, ended ones included; by user id. */
  subscriptionsIn(channelId: number): ReadonlyMap<number, SubscriptionRecord> {
    return this.byChannel.get(channelId) ?? new Map();
  }

  /** All subscriptions of the user, ended ones included; by channel id. */
  subscriptionsOf(userId: number): ReadonlyMap<number, SubscriptionRecord> {
    return this.byUser.get(userId) ?? new Map();
  }

  isSubscribed(userId: number, channelId: number): boolean {
    return this.byChannel.get(channelId)?.get(userId)?.intervals.at(-1)?.to === null;
  }

  /** Whether the user was subscribed when the event at `position` happened (D10: the moment that audiences mean). */
  wasSubscribed(userId: number, channelId: number, position: Position): boolean {
    return this.subscribedSince(userId, channelId, position) !== null;
  }

  /** The time since which the user was subscribed right before the event at `position`; null: the user was not. */
  subscribedSince(userId: number, channelId: number, position: Position): Position | null {
    const intervals = this.byChannel.get(channelId)?.get(userId)?.intervals ?? [];
    return intervals.find(({ from, to }) => from < position && (to === null || position < to))?.from ?? null;
  }

  /** Whether the user had ever subscribed before the event at `position`. */
  hadSubscribed(userId: number, channelId: number, position: Position): boolean {
    const [first] = this.byChannel.get(channelId)?.get(userId)?.intervals ?? [];
    return first !== undefined && first.from < position;
  }

  /** Whether the account is active and in the group, directly or through nested groups. */
  isInGroup(user: UserRecord, value: GroupSettingValue): boolean {
    if (!user.isActive) return false;
    const members = this.groups.allMembersOf(value);
    if (user.role <= members.role || members.userIds.has(user._id)) return true;
    return members.fullMembers && this.isFullMember(user);
  }

  /** The answer of `isInGroup` right after the event at `position`. */
  wasInGroupAfter(userId: number, value: GroupSettingValue, position: Position): boolean {
    const user = this.users.get(userId);
    return (
      user !== undefined &&
      this.wasActiveAfter(userId, position) &&
      this.groups.wasIn(user, value, position, this.hasWaited(user))
    );
  }

  /** The account's role right after the event at `position`; null before the account existed. */
  roleAfter(userId: number, position: Position): Role | null {
    const intervals = this.users.get(userId)?.roleIntervals ?? [];
    return intervals.find((interval) => covers([interval], position))?.role ?? null;
  }

  /** Moderators and above are full members; members are once their waiting period is over; guests never are. */
  isFullMember(user: UserRecord): boolean {
    return user.role < ROLES.member || (user.role === ROLES.member && this.hasWaited(user));
  }

  private hasWaited({ createdAt }: UserRecord): boolean {
    return this.now() - createdAt >= this.realm.waiting_period_threshold * DAY_MS;
  }

  /** Whether the account was active right after the event at `position`. */
  wasActiveAfter(userId: number, position: Position): boolean {
    return covers(this.users.get(userId)?.activeIntervals, position);
  }

  /** Ids of the active subscribers right after the event at `position`, ascending. */
  subscriberIdsAfter(channelId: number, position: Position): number[] {
    const ids: number[] = [];
    for (const [userId, { intervals }] of this.subscriptionsIn(channelId)) {
      if (covers(intervals, position) && this.wasActiveAfter(userId, position)) ids.push(userId);
    }
    return ids.sort((a, b) => a - b);
  }

  /** Ids of the group's active direct members right after the event at `position`, ascending. */
  memberIdsAfter(groupId: number, position: Position): number[] {
    return this.groups
      .directMemberIdsAfter(groupId, position)
      .filter((userId) => this.wasActiveAfter(userId, position));
  }

  /** Ids of the active current subscribers, ascending. The list stays the same object until a subscriber changes. */
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
        this.realm = settingsInForce(record.settings);
        return;
      case 'users': {
        const before = this.users.get(record._id);
        if (before) {
          this.usersByEmail.delete(before.emailKey);
          for (const { hash } of before.apiKeys) this.usersByKeyHash.delete(hash);
        }
        if (before?.fullName !== record.fullName) {
          if (before) this.usersByName.get(foldCase(before.fullName))?.delete(record._id);
          const name = foldCase(record.fullName);
          this.usersByName.set(name, (this.usersByName.get(name) ?? new Set()).add(record._id));
        }
        this.users.set(record._id, record);
        if (record.bot?.type === BOT_TYPES.outgoingWebhook) this.webhookBots.add(record._id);
        if (before?.isActive !== record.isActive)
          for (const channelId of this.subscriptionsOf(record._id).keys()) this.subscriberLists.delete(channelId);
        this.usersByEmail.set(record.emailKey, record._id);
        for (const { hash } of record.apiKeys) this.usersByKeyHash.set(hash, record._id);
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
