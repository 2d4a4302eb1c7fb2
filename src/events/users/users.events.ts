import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent, type Upcaster } from '../../platform/kernel/event-definition.js';
import { sha256Of } from '../../platform/kernel/sha256.js';
import { concernsUser } from '../shared/concerned.js';
import type { Role } from '../shared/role.js';
import { type BotWebhookEvent, botWebhookEvents } from './bot-webhooks.events.js';
import type { BotType, SpecialPermission } from './users.settings.js';

/** Version 1 is older than default channels. */
const userCreatedFrom1: Upcaster = (data) => ({ ...data, channelIds: [] });

/** Version 1 is older than notices. */
const userDeactivatedFrom1: Upcaster = (data) => ({ ...data, notice: null });

/** Version 1 is older than mails to the present address. */
export const emailChangeRequestedFrom1: Upcaster = (data) => ({ ...data, vetoHash: null });

export const USERS_STREAM = 'users';

/** A person has an account. */
export type UserCreated = DomainEvent<
  'UserCreated',
  {
    readonly userId: number;
    readonly email: string;
    readonly fullName: string;
    readonly role: Role;
    /** argon2id, in PHC form; null for an account that cannot log in with a password. */
    readonly passwordHash: string | null;
    /** The organization's default channels at the time, which the user is subscribed to from the start. */
    readonly channelIds: readonly number[];
  }
>;

/** The account of a user's program. It has an API key from the start, and never a password. */
export type BotCreated = DomainEvent<
  'BotCreated',
  {
    readonly userId: number;
    readonly email: string;
    readonly fullName: string;
    readonly role: Role;
    readonly botType: BotType;
    readonly ownerId: number;
    /** SHA-256 of the first API key, hexadecimal. */
    readonly keyHash: string;
  }
>;

/** A bot belongs to another user. */
export type BotOwnerChanged = DomainEvent<
  'BotOwnerChanged',
  { readonly userId: number; readonly from: number; readonly to: number }
>;

/** A user or a bot has another full name. */
export type UserRenamed = DomainEvent<
  'UserRenamed',
  { readonly userId: number; readonly from: string; readonly to: string }
>;

/** A user has another role. */
export type UserRoleChanged = DomainEvent<
  'UserRoleChanged',
  { readonly userId: number; readonly from: Role; readonly to: Role }
>;

/** A user has another email address. */
export type UserEmailChanged = DomainEvent<
  'UserEmailChanged',
  { readonly userId: number; readonly from: string; readonly to: string }
>;

/** The account has another password: its user chose it, or the operator set it. */
export type PasswordChanged = DomainEvent<
  'PasswordChanged',
  {
    readonly userId: number;
    /** argon2id, in PHC form. */
    readonly passwordHash: string;
  }
>;

/** The value of a profile field has changed (`profile_data`); null: empty. */
export type UserProfileChanged = DomainEvent<
  'UserProfileChanged',
  {
    readonly userId: number;
    readonly fieldId: number;
    readonly from: string | null;
    readonly to: string | null;
    /** `to` as HTML if the field takes markup; else null. */
    readonly rendered: string | null;
  }
>;

/** Names a key to clients, and in events. Neither the key nor its stored hash follows from the id. */
export const apiKeyId = (keyHash: string): string => sha256Of(`api key ${keyHash}`).slice(0, 16);

/** A login of the account has got a new API key, beside those that it has. */
export type ApiKeyIssued = DomainEvent<
  'ApiKeyIssued',
  {
    readonly userId: number;
    /** SHA-256 of the key, hexadecimal. */
    readonly keyHash: string;
  }
>;

/** All API keys of the account become invalid except this new one. */
export type ApiKeysRegenerated = DomainEvent<
  'ApiKeysRegenerated',
  { readonly userId: number; readonly keyHash: string }
>;

/** Some API keys of the account become invalid, such as those of other logins when the password changes. */
export type ApiKeysEnded = DomainEvent<
  'ApiKeysEnded',
  {
    readonly userId: number;
    /** SHA-256 of each key, hexadecimal; at least one. */
    readonly keyHashes: readonly string[];
  }
>;

/** The account can no longer be used. Its API keys become invalid. */
export type UserDeactivated = DomainEvent<
  'UserDeactivated',
  {
    readonly userId: number;
    /** The administrator's comment in the mailed notice (`DELETE /users/{user_id}`); null: no notice. */
    readonly notice: { readonly comment: string } | null;
  }
>;

/** A deactivated account can be used again. */
export type UserReactivated = DomainEvent<'UserReactivated', { readonly userId: number }>;

/** An operator has given the user a permission that no role has. */
export type PermissionGranted = DomainEvent<
  'PermissionGranted',
  { readonly userId: number; readonly permission: SpecialPermission }
>;

/** The user no longer has a permission that no role has. */
export type PermissionRevoked = DomainEvent<
  'PermissionRevoked',
  { readonly userId: number; readonly permission: SpecialPermission }
>;

export type UserEvent =
  | UserCreated
  | BotCreated
  | BotWebhookEvent
  | BotOwnerChanged
  | UserRenamed
  | UserRoleChanged
  | UserEmailChanged
  | PasswordChanged
  | UserProfileChanged
  | ApiKeyIssued
  | ApiKeysRegenerated
  | ApiKeysEnded
  | UserDeactivated
  | UserReactivated
  | PermissionGranted
  | PermissionRevoked;

export const userEvents = [
  defineEvent<UserCreated>({
    type: 'UserCreated',
    version: 2,
    concerns: ({ data: { userId, channelIds } }) => ({ userIds: [userId], channelIds }),
    upcasters: { 1: userCreatedFrom1 },
    secrets: ['passwordHash'],
  }),
  defineEvent<BotCreated>({
    type: 'BotCreated',
    concerns: ({ data: { userId, ownerId } }) => ({ userIds: [userId, ownerId] }),
    secrets: ['keyHash'],
  }),
  ...botWebhookEvents,
  defineEvent<BotOwnerChanged>({
    type: 'BotOwnerChanged',
    concerns: ({ data: { userId, from, to } }) => ({ userIds: [userId, from, to] }),
  }),
  defineEvent<UserRenamed>({ type: 'UserRenamed', concerns: concernsUser }),
  defineEvent<UserRoleChanged>({ type: 'UserRoleChanged', concerns: concernsUser }),
  defineEvent<UserEmailChanged>({ type: 'UserEmailChanged', concerns: concernsUser }),
  defineEvent<PasswordChanged>({ type: 'PasswordChanged', concerns: concernsUser, secrets: ['passwordHash'] }),
  defineEvent<UserProfileChanged>({ type: 'UserProfileChanged', concerns: concernsUser }),
  defineEvent<ApiKeyIssued>({ type: 'ApiKeyIssued', concerns: concernsUser, secrets: ['keyHash'] }),
  defineEvent<ApiKeysRegenerated>({ type: 'ApiKeysRegenerated', concerns: concernsUser, secrets: ['keyHash'] }),
  defineEvent<ApiKeysEnded>({ type: 'ApiKeysEnded', concerns: concernsUser, secrets: ['keyHashes'] }),
  defineEvent<UserDeactivated>({
    type: 'UserDeactivated',
    version: 2,
    concerns: concernsUser,
    upcasters: { 1: userDeactivatedFrom1 },
    unsealed: { notice: 'a comment to the holder of the account' },
  }),
  defineEvent<UserReactivated>({ type: 'UserReactivated', concerns: concernsUser }),
  defineEvent<PermissionGranted>({ type: 'PermissionGranted', concerns: concernsUser }),
  defineEvent<PermissionRevoked>({ type: 'PermissionRevoked', concerns: concernsUser }),
];
