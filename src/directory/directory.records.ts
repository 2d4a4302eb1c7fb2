import type { ChannelPermissions, ChannelPrivacy, TopicsPolicy } from '../events/channels/channels.settings.js';
import type { SubscriptionSettings } from '../events/channels/subscriptions.settings.js';
import type { Linkifier, Playground, ProfileField } from '../events/organization/organization.settings.js';
import type { RealmSettings } from '../events/organization/realm.settings.js';
import type { OrganizationPicture } from '../events/organization-pictures/organization-pictures.events.js';
import type { UserSettingValues } from '../events/personal/user.settings.js';
import type { Role } from '../events/shared/role.js';
import type { UserGroupPermissions } from '../events/user-groups/user-groups.settings.js';
import type { BotWebhook } from '../events/users/bot-webhooks.events.js';
import type { BotType, SpecialPermission, WebhookInterface } from '../events/users/users.settings.js';
import type { DocumentId } from '../platform/documents/document-store.js';
import type { Position } from '../platform/kernel/position.js';
import type { ChannelSeers } from './channel-visibility.js';

/** The organization's own record. Records are the same in memory and as documents; times are milliseconds from 1970. */
export interface OrganizationRecord {
  readonly _id: 'organization';
  readonly createdAt: number;
  /** The settings that have been set, the name among them; `directory.setting` has the defaults of the others. */
  readonly settings: Partial<RealmSettings>;
  /** Ids of the channels that new users are subscribed to, ascending. */
  readonly defaultChannelIds: readonly number[];
  /** Values that `default_language` had before, each once; absent: none. Messages were written in them. */
  readonly pastLanguages?: readonly string[];
  /** In order of display. */
  readonly profileFields: readonly ProfileField[];
  /** In order of application. */
  readonly linkifiers: readonly Linkifier[];
  readonly playgrounds: readonly Playground[];
  /** By id, deactivated ones too: old messages and reactions show them. Absent: none was ever added. */
  readonly customEmoji?: readonly CustomEmojiRecord[];
  /** In order of display, archived ones too. Absent: none was ever made. */
  readonly channelFolders?: readonly ChannelFolderRecord[];
  /** Absent, or without an entry: the default picture was never replaced. */
  readonly pictures?: Readonly<Partial<Record<OrganizationPicture, OrganizationPictureRecord>>>;
  readonly position: Position;
}

interface OrganizationPictureRecord {
  readonly version: number;
  /** The name in the file store; null: the picture was removed. */
  readonly fileId: string | null;
}

export interface CustomEmojiRecord {
  readonly id: number;
  readonly name: string;
  readonly authorId: number;
  /** The picture's name in the file store. */
  readonly fileId: string;
  /** The still picture of an animated emoji; null: the picture does not move. */
  readonly stillFileId: string | null;
  /** The picture is a PNG. Absent: it is WebP. */
  readonly isPng?: true;
  readonly isActive: boolean;
}

export interface ChannelFolderRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly creatorId: number;
  readonly createdAt: number;
  readonly isArchived: boolean;
}

export interface UserRecord {
  readonly _id: number;
  readonly email: string;
  /** `foldCase(email)`, the key that accounts are found by. */
  readonly emailKey: string;
  readonly fullName: string;
  readonly role: Role;
  /** The account's roles over time; the last is `role`. */
  readonly roleIntervals: readonly RoleInterval[];
  /** null: a person. */
  readonly bot: BotRecord | null;
  readonly isActive: boolean;
  /** The intervals in which the account was active: from creation or reactivation to deactivation. */
  readonly activeIntervals: readonly PositionInterval[];
  readonly createdAt: number;
  readonly passwordHash: string | null;
  /** A deactivated account keeps its keys, which are refused until it is reactivated. */
  readonly apiKeys: readonly ApiKeyRecord[];
  readonly specialPermissions: readonly SpecialPermission[];
  /** By id of the organization's profile field. */
  readonly profile: Readonly<Record<string, { readonly value: string; readonly rendered: string | null }>>;
  /** Absent: the account has never had another avatar than the one that follows from its address. */
  readonly avatar?: AvatarRecord;
  /** The settings that the user has chosen; absent: none. */
  readonly settings?: Partial<UserSettingValues>;
  readonly position: Position;
}

export interface AvatarRecord {
  readonly version: number;
  /** The names of the uploaded pictures in the file store; null: the avatar follows from the address. */
  readonly files: { readonly fileId: string; readonly mediumFileId: string } | null;
}

interface BotRecord {
  readonly type: BotType;
  readonly ownerId: number;
  /** Where an outgoing webhook bot is called; null: the content key is gone. Absent for other bots. */
  readonly webhook?: WebhookRecord | null;
}

export interface WebhookRecord extends BotWebhook {
  readonly interface: WebhookInterface;
}

interface ApiKeyRecord {
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** Name of the client program that logged in, or of its maker's. */
  readonly client: string;
  readonly issuedAt: number;
}

export interface ChannelRecord extends ChannelPrivacy {
  readonly _id: number;
  readonly name: string;
  readonly nameKey: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly topicsPolicy: TopicsPolicy;
  /** Days; null: the organization's setting, -1: for ever. */
  readonly messageRetentionDays: number | null;
  readonly permissions: ChannelPermissions;
  readonly isArchived: boolean;
  /** null, or absent: in no folder. */
  readonly folderId?: number | null;
  readonly creatorId: number | null;
  readonly createdAt: number;
  /** Who saw the channel without being subscribed, over time; the last follows from the channel as it is. */
  readonly sightIntervals: readonly VisibilityInterval[];
  readonly position: Position;
}

/** From the position of the event that began the interval to that of the event that ended it; null: open. */
export interface PositionInterval {
  readonly from: Position;
  readonly to: Position | null;
}

interface RoleInterval extends PositionInterval {
  readonly role: Role;
}

export interface VisibilityInterval extends PositionInterval {
  readonly seers: ChannelSeers;
  /** Clients without the capability `archived_channels` do not see an archived channel. */
  readonly isArchived: boolean;
}

/** An interval in which a user was subscribed. */
type SubscriptionInterval = PositionInterval;

export interface SubscriptionRecord {
  /** `<channelId>/<userId>` */
  readonly _id: string;
  readonly channelId: number;
  readonly userId: number;
  readonly intervals: readonly SubscriptionInterval[];
  /** The settings that the user has chosen; they outlive an unsubscription. */
  readonly settings: Partial<SubscriptionSettings>;
  readonly position: Position;
}

/** A group that people have made. System groups follow from roles and have no record. */
export interface UserGroupRecord {
  readonly _id: number;
  readonly name: string;
  /** `foldCase(name)` */
  readonly nameKey: string;
  readonly description: string;
  readonly creatorId: number | null;
  readonly createdAt: number;
  readonly isDeactivated: boolean;
  readonly permissions: UserGroupPermissions;
  /** The subgroups over time. An id may have several intervals, the open one last. */
  readonly subgroupIntervals: readonly SubgroupInterval[];
  readonly position: Position;
}

interface SubgroupInterval extends PositionInterval {
  readonly groupId: number;
}

/** The intervals in which a user was a direct member of a group. */
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

/** In the order in which a process loads them: kinds that others look up come first. */
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

/** Finds a record by kind and id, as the event at hand finds it. */
export type RecordLookup = <K extends DirectoryKind>(kind: K, id: DocumentId) => DirectoryRecords[K] | undefined;
