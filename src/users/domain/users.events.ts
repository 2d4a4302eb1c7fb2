import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';
import type { Role } from '../../kernel/role.js';

export const USERS_STREAM = 'users';

export type UserCreated = DomainEvent<
  'UserCreated',
  {
    readonly userId: number;
    readonly email: string;
    readonly fullName: string;
    readonly role: Role;
    /** argon2id, in PHC form; null for an account that cannot log in with a password. */
    readonly passwordHash: string | null;
  }
>;

export type ApiKeyIssued = DomainEvent<
  'ApiKeyIssued',
  {
    readonly userId: number;
    /** SHA-256 of the key, hexadecimal. */
    readonly keyHash: string;
  }
>;

export type UserDeactivated = DomainEvent<'UserDeactivated', { readonly userId: number }>;

export type UserEvent = UserCreated | ApiKeyIssued | UserDeactivated;

export const userEvents = [
  defineEvent<UserCreated>({ type: 'UserCreated', version: 1, secrets: ['passwordHash'] }),
  defineEvent<ApiKeyIssued>({ type: 'ApiKeyIssued', version: 1, secrets: ['keyHash'] }),
  defineEvent<UserDeactivated>({ type: 'UserDeactivated', version: 1 }),
];
