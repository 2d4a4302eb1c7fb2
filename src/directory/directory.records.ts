import type { ChannelPermissions, ChannelPrivacy, TopicsPolicy } from '../channels/domain/channels.settings.js';
import type { DocumentId } from '../document-store/document-store.js';
import type { Position } from '../kernel/position.js';
import type { Role } from '../kernel/role.js';
import type { Linkifier, Playground, ProfileField } from '../organization/domain/organization.settings.js';
import type { RealmSettings } from '../organization/domain/realm.settings.js';
import type { UserSettingValues } from '../personal/domain/user.settings.js';
import type { SubscriptionSettings } from '../subscriptions/domain/subscriptions.settings.js';
import type { UserGroupPermissions } from '../user-groups/domain/user-groups.settings.js';
import type { BotType, SpecialPermission } from '../users/domain/users.settings.js';
import type { ChannelSeers } from './channel-sight.js';

/** What an organisation is made of, as documents and in memory alike. Times are milliseconds since 1970. */
export interface OrganizationRecord {
  readonly _id: 'organization';
  readonly createdAt: number;
  /** Those that somebody has set, the name among them; `directory.setting` knows the others. */
  readonly settings: Partial<RealmSettings>;
  /** Ids of the channels that new users are subscribed to, ascending. */
  readonly defaultChannelIds: readonly number[];
  /** In order of display. */
  readonly profileFields: readonly ProfileField[];
  /** In order of application. */
  readonly linkifiers: readonly Linkifier[];
  readonly playgrounds: readonly Playground[];
  readonly position: Position;
}

export interface UserRecord {
  readonly _id: number;
  readonly email: string;
  /** `email` folded: how accounts are found. */
  readonly emailKey: string;
  readonly fullName: string;
  readonly role: Role;
  /** Which role the account had when; the last is `role`. */
  readonly roleIntervals: readonly RoleInterval[];
  /** null: a person. */
  readonly bot: { readonly type: BotType; readonly ownerId: number } | null;
  readonly isActive: boolean;
  /** When the account could be used: from its creation or reactivation to its deactivation. */
  readonly activeIntervals: readonly PositionInterval[];
  readonly createdAt: number;
  readonly passwordHash: string | null;
  /** SHA-256 of each live API key, hexadecimal. */
  readonly keyHashes: readonly string[];
  readonly specialPermissions: readonly SpecialPermission[];
  /** By id of the organisation's profile field. */
  readonly profile: Readonly<Record<string, { readonly value: string; readonly rendered: string | null }>>;
  /** Those that the user has chosen for themselves; absent: none. */
  readonly settings?: Partial<UserSettingValues>;
  readonly position: Position;
}

export interface ChannelRecord extends ChannelPrivacy {
  readonly _id: number;
  readonly name: string;
  readonly nameKey: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly topicsPolicy: TopicsPolicy;
  /** Days; null: as the organisation has it, -1: for ever. */
  readonly messageRetentionDays: number | null;
  readonly permissions: ChannelPermissions;
  readonly isArchived: boolean;
  readonly creatorId: number | null;
  readonly createdAt: number;
  /** Who saw it when without being subscribed; the last is as the channel itself has it. */
  readonly sightIntervals: readonly SightInterval[];
  readonly position: Position;
}

/** From the event that began it (exclusive of what came before) to the one that ended it. */
export interface PositionInterval {
  readonly from: Position;
  readonly to: Position | null;
}

export interface RoleInterval extends PositionInterval {
  readonly role: Role;
}

export interface SightInterval extends PositionInterval {
  readonly seers: ChannelSeers;
  /** Only some clients know of it then. */
  readonly isArchived: boolean;
}

/** When a user was subscribed. */
export type SubscriptionInterval = PositionInterval;

export interface SubscriptionRecord {
  /** `<channelId>/<userId>` */
  readonly _id: string;
  readonly channelId: number;
  readonly userId: number;
  readonly intervals: readonly SubscriptionInterval[];
  /** Those that the user has chosen; they outlive an unsubscription. */
  readonly settings: Partial<SubscriptionSettings>;
  readonly position: Position;
}

/** A group that people have made. System groups follow from roles and are no records. */
export interface UserGroupRecord {
  readonly _id: number;
  readonly name: string;
  /** `name` folded. */
  readonly nameKey: string;
  readonly description: string;
  readonly creatorId: number | null;
  readonly createdAt: number;
  readonly isDeactivated: boolean;
  readonly permissions: UserGroupPermissions;
  /** Which groups it held when; each id may have several intervals, the open one last. */
  readonly subgroupIntervals: readonly SubgroupInterval[];
  readonly position: Position;
}

export interface SubgroupInterval extends PositionInterval {
  readonly groupId: number;
}

/** When a user was a direct member of a group. */
export interface MembershipRecord {
  /** `<groupId>/<userId>` */
  readonly _id: string;
  readonly groupId: number;
  readonly userId: number;
  readonly intervals: readonly PositionInterval[];
  readonly position: Position;
}

export interface DirectoryRecords {
  organization: OrganizationRecord;
  users: UserRecord;
  channels: ChannelRecord;
  subscriptions: SubscriptionRecord;
  userGroups: UserGroupRecord;
  memberships: MembershipRecord;
}

export type DirectoryKind = keyof DirectoryRecords;

/** In the order in which a process loads them: what is looked up by another comes first. */
export const DIRECTORY_KINDS = [
  'organization',
  'users',
  'channels',
  'subscriptions',
  'userGroups',
  'memberships',
] as const satisfies readonly DirectoryKind[];

/** A record in its new state; records are never removed. */
export type RecordChange = {
  readonly [K in DirectoryKind]: { readonly kind: K; readonly record: DirectoryRecords[K] };
}[DirectoryKind];

/** A record by kind and id, as of the event at hand. */
export type RecordLookup = <K extends DirectoryKind>(kind: K, id: DocumentId) => DirectoryRecords[K] | undefined;
