import type { DocumentId } from '../document-store/document-store.js';
import type { Position } from '../kernel/position.js';
import type { Role } from '../kernel/role.js';

/** What an organisation is made of, as documents and in memory alike. Times are milliseconds since 1970. */
export interface OrganizationRecord {
  readonly _id: 'organization';
  readonly name: string;
  readonly createdAt: number;
  readonly position: Position;
}

export interface UserRecord {
  readonly _id: number;
  readonly email: string;
  /** `email` folded: how accounts are found. */
  readonly emailKey: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** When the account could be used: from its creation or reactivation to its deactivation. */
  readonly activeIntervals: readonly PositionInterval[];
  readonly createdAt: number;
  readonly passwordHash: string | null;
  /** SHA-256 of each live API key, hexadecimal. */
  readonly keyHashes: readonly string[];
  readonly position: Position;
}

export interface ChannelRecord {
  readonly _id: number;
  readonly name: string;
  readonly nameKey: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly inviteOnly: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly creatorId: number | null;
  readonly createdAt: number;
  readonly position: Position;
}

/** From the event that began it (exclusive of what came before) to the one that ended it. */
export interface PositionInterval {
  readonly from: Position;
  readonly to: Position | null;
}

/** When a user was subscribed. */
export type SubscriptionInterval = PositionInterval;

export interface SubscriptionRecord {
  /** `<channelId>/<userId>` */
  readonly _id: string;
  readonly channelId: number;
  readonly userId: number;
  readonly intervals: readonly SubscriptionInterval[];
  readonly position: Position;
}

export interface DirectoryRecords {
  organization: OrganizationRecord;
  users: UserRecord;
  channels: ChannelRecord;
  subscriptions: SubscriptionRecord;
}

export type DirectoryKind = keyof DirectoryRecords;

/** A record in its new state; records are never removed. */
export type RecordChange = {
  readonly [K in DirectoryKind]: { readonly kind: K; readonly record: DirectoryRecords[K] };
}[DirectoryKind];

/** A record by kind and id, as of the event at hand. */
export type RecordLookup = <K extends DirectoryKind>(kind: K, id: DocumentId) => DirectoryRecords[K] | undefined;
