import { describe, it } from '@jest/globals';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import type { AccountLinkEvent } from '../../../src/events/users/account-links.events.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import type { SpecialPermission } from '../../../src/events/users/users.settings.js';
import {
  DeactivateOwnUser,
  DeactivateUser,
  decideDeactivateOwnUser,
  decideDeactivateUser,
} from '../../../src/features/users/domain/activity.js';
import {
  decideIssueApiKey,
  decideIssueFirstApiKey,
  IssueApiKey,
  IssueFirstApiKey,
} from '../../../src/features/users/domain/api-keys.js';
import { CreateUser, decideCreateUser } from '../../../src/features/users/domain/create-user.js';
import {
  decideGrantPermission,
  decideRevokePermission,
  GrantPermission,
  RevokePermission,
} from '../../../src/features/users/domain/grant-permission.js';
import { PasswordRule } from '../../../src/features/users/domain/password.js';
import { type UsersState, users } from '../../../src/features/users/domain/users.state.js';
import { given } from '../../support/events/given.js';
import { botCreated } from '../../support/events/users.js';

const givenUsers = (history: readonly (UserEvent | AccountLinkEvent)[]) =>
  given<UsersState, UserEvent | AccountLinkEvent>(users, history);
const by = { actorId: 1, client: 'test', correlationId: 'c' };
const facts = {
  isAdministrator: true,
  mayCreate: true,
  passwordHash: 'hash',
  passwords: new PasswordRule(),
  uniqueNames: false,
  channelIds: [],
};

const created = (userId: number, email: string, role: Role = ROLES.member): UserEvent => ({
  type: 'UserCreated',
  data: { userId, email, fullName: `User ${userId}`, role, passwordHash: 'hash', channelIds: [] },
});
const deactivated = (userId: number): UserEvent => ({ type: 'UserDeactivated', data: { userId, notice: null } });
const granted = (userId: number, permission: SpecialPermission): UserEvent => ({
  type: 'PermissionGranted',
  data: { userId, permission },
});
const owner = created(1, 'owner@example.com', ROLES.owner);

const account = (changes: Partial<CreateUser['account']> = {}) =>
  new CreateUser({
    account: { email: 'iris@example.com', fullName: 'Iris', password: 'long enough', role: ROLES.member, ...changes },
    by,
  });

describe('creating an account', () => {
  it('gives the next id', () => {
    givenUsers([owner, created(7, 'seven@example.com')])
      .when(decideCreateUser, account(), facts)
      .then([
        {
          type: 'UserCreated',
          data: {
            userId: 8,
            email: 'iris@example.com',
            fullName: 'Iris',
            role: ROLES.member,
            passwordHash: 'hash',
            channelIds: [],
          },
        },
      ]);
  });

  it('makes the first account an owner', () => {
    givenUsers([])
      .when(decideCreateUser, account(), facts)
      .then([
        {
          type: 'UserCreated',
          data: {
            userId: 1,
            email: 'iris@example.com',
            fullName: 'Iris',
            role: ROLES.owner,
            passwordHash: 'hash',
            channelIds: [],
          },
        },
        granted(1, 'can_change_user_emails'),
        granted(1, 'can_create_users'),
      ]);
  });

  it('refuses an address in use in any case, also of a deactivated account', () => {
    const history = [owner, created(2, 'Iris@Example.com'), deactivated(2)];
    givenUsers(history)
      .when(decideCreateUser, account(), facts)
      .thenRefuses('EMAIL_TAKEN', { email: 'iris@example.com' });
  });

  it('refuses a password that is too short or too long, and needs none', () => {
    const refused = (password: string, changes: object = {}) =>
      givenUsers([owner]).when(decideCreateUser, account({ password, ...changes }), facts);
    refused('').thenRefuses('PASSWORD_TOO_WEAK');
    refused('seven c').thenRefuses('PASSWORD_TOO_WEAK');
    refused('x'.repeat(101)).thenRefuses('PASSWORD_TOO_LONG', { least: 8, limit: 100 });
    refused('', { fullName: ' ' }).thenRefuses('NAME_EMPTY');
    refused('', { email: 'owner@example.com' }).thenRefuses('EMAIL_TAKEN', { email: 'owner@example.com' });
    const without = account({ password: null });
    expect(decideCreateUser(without, givenUsers([owner]).state, { ...facts, passwordHash: null })).toHaveLength(1);
  });

  it('needs an administrator with the permission', () => {
    givenUsers([owner])
      .when(decideCreateUser, account(), { ...facts, mayCreate: false })
      .thenRefuses('MAY_NOT_CREATE_USERS');
    givenUsers([owner])
      .when(decideCreateUser, account(), { ...facts, isAdministrator: false })
      .thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it.each([
    '',
    'iris',
    '@example.com',
    'iris@',
    'a b@example.com',
    'a@b@c',
    '\u200biris@example.com',
    `${'x'.repeat(250)}@example.com`,
  ])('refuses the address %j', (email) => {
    givenUsers([owner]).when(decideCreateUser, account({ email }), facts).thenRefuses('INVALID_NEW_EMAIL', { email });
  });

  it.each([
    ['', 'NAME_EMPTY'],
    ['   ', 'NAME_EMPTY'],
    ['x'.repeat(101), 'NAME_TOO_LONG'],
    ['a\u0000b', 'NAME_INVALID'],
    ['a\u200bb', 'NAME_INVALID'],
    ['\u202ebert', 'NAME_INVALID'],
    ['Bert|5', 'NAME_INVALID'],
    ['**bold**', 'NAME_INVALID'],
    ['a@b', 'NAME_INVALID'],
  ])('refuses the name %j', (fullName, code) => {
    givenUsers([owner]).when(decideCreateUser, account({ fullName }), facts).thenRefuses(code);
  });

  it('counts the characters of a name, not their UTF-16 units', () => {
    givenUsers([owner])
      .when(decideCreateUser, account({ fullName: '😀'.repeat(100) }), facts)
      .then([
        {
          type: 'UserCreated',
          data: {
            userId: 2,
            email: 'iris@example.com',
            fullName: '😀'.repeat(100),
            role: ROLES.member,
            passwordHash: 'hash',
            channelIds: [],
          },
        },
      ]);
  });
});

describe('issuing an API key', () => {
  it('adds one to the account', () => {
    givenUsers([owner])
      .when(decideIssueApiKey, new IssueApiKey({ userId: 1, keyHash: 'abc', by }), undefined)
      .then([{ type: 'ApiKeyIssued', data: { userId: 1, keyHash: 'abc' } }]);
  });

  it('adds a first one only to an account that never had any', () => {
    const first = new IssueFirstApiKey({ userId: 1, keyHash: 'abc', by });
    const issued = { type: 'ApiKeyIssued', data: { userId: 1, keyHash: 'abc' } } as const;
    const ended = { type: 'ApiKeysEnded', data: { userId: 1, keyHashes: ['abc'] } } as const;
    givenUsers([owner]).when(decideIssueFirstApiKey, first, undefined).then([issued]);
    givenUsers([owner, issued]).when(decideIssueFirstApiKey, first, undefined).thenNothing();
    givenUsers([owner, issued, ended]).when(decideIssueFirstApiKey, first, undefined).thenNothing();
  });

  it('refuses an account that does not exist or is deactivated', () => {
    const history = [owner, created(2, 'two@example.com'), deactivated(2)];
    givenUsers(history)
      .when(decideIssueApiKey, new IssueApiKey({ userId: 3, keyHash: 'abc', by }), undefined)
      .thenRefuses('USER_NOT_FOUND');
    givenUsers(history)
      .when(decideIssueApiKey, new IssueApiKey({ userId: 2, keyHash: 'abc', by }), undefined)
      .thenRefuses('USER_DEACTIVATED');
  });
});

describe('deactivating an account', () => {
  const administrator = { isAdministrator: true, isOwner: false };
  const byOwner = { isAdministrator: true, isOwner: true };

  it('is allowed to administrators', () => {
    const history = [owner, created(2, 'two@example.com')];
    givenUsers(history)
      .when(decideDeactivateUser, new DeactivateUser({ userId: 2, by, notice: null }), administrator)
      .then([deactivated(2)]);
    givenUsers(history)
      .when(decideDeactivateUser, new DeactivateUser({ userId: 2, by, notice: null }), {
        isAdministrator: false,
        isOwner: false,
      })
      .thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it('keeps the text of the notice', () => {
    givenUsers([owner, created(2, 'two@example.com')])
      .when(
        decideDeactivateUser,
        new DeactivateUser({ userId: 2, by, notice: { comment: 'Farewell!' } }),
        administrator,
      )
      .then([{ type: 'UserDeactivated', data: { userId: 2, notice: { comment: 'Farewell!' } } }]);
  });

  it('deactivates the bots of the account, without a notice', () => {
    const history = [
      owner,
      created(2, 'two@example.com'),
      botCreated(3, 2),
      botCreated(4, 1),
      botCreated(5, 2),
      botCreated(6, 2),
      deactivated(6),
    ];
    givenUsers(history)
      .when(decideDeactivateUser, new DeactivateUser({ userId: 2, by, notice: { comment: '' } }), administrator)
      .then([
        { type: 'UserDeactivated', data: { userId: 2, notice: { comment: '' } } },
        deactivated(3),
        deactivated(5),
      ]);
  });

  it('of an owner needs an owner', () => {
    const history = [owner, created(2, 'two@example.com', ROLES.owner)];
    givenUsers(history)
      .when(decideDeactivateUser, new DeactivateUser({ userId: 2, by, notice: null }), administrator)
      .thenRefuses('OWNER_REQUIRED');
    givenUsers(history)
      .when(decideDeactivateUser, new DeactivateUser({ userId: 2, by, notice: null }), byOwner)
      .then([deactivated(2)]);
  });

  it('never leaves an organization without an owner', () => {
    givenUsers([owner, created(2, 'two@example.com')])
      .when(decideDeactivateUser, new DeactivateUser({ userId: 1, by, notice: null }), byOwner)
      .thenRefuses('ONLY_OWNER');
    givenUsers([owner, created(2, 'two@example.com', ROLES.owner)])
      .when(decideDeactivateUser, new DeactivateUser({ userId: 1, by, notice: null }), byOwner)
      .then([deactivated(1)]);
    givenUsers([owner, created(2, 'two@example.com', ROLES.owner), deactivated(2)])
      .when(decideDeactivateUser, new DeactivateUser({ userId: 1, by, notice: null }), byOwner)
      .thenRefuses('ONLY_OWNER');
  });

  it('does nothing the second time', () => {
    givenUsers([owner, created(2, 'two@example.com'), deactivated(2)])
      .when(decideDeactivateUser, new DeactivateUser({ userId: 2, by, notice: null }), administrator)
      .thenNothing();
  });

  it('refuses unknown accounts and bots', () => {
    for (const id of [3, 9])
      givenUsers([owner, botCreated(3, 1)])
        .when(decideDeactivateUser, new DeactivateUser({ userId: id, by, notice: null }), administrator)
        .thenRefuses('USER_NOT_FOUND');
  });
});

describe('deactivating the caller’s own account', () => {
  const own = (userId: number) => new DeactivateOwnUser({ userId, by });
  const two = [owner, created(2, 'two@example.com'), botCreated(3, 2)];

  it('deactivates the account and its bots', () => {
    givenUsers(two)
      .when(decideDeactivateOwnUser, own(2), undefined)
      .then([deactivated(2), deactivated(3)]);
    givenUsers([...two, deactivated(2)])
      .when(decideDeactivateOwnUser, own(2), undefined)
      .thenNothing();
  });

  it('refuses the only owner, the only person, and bots', () => {
    givenUsers(two)
      .when(decideDeactivateOwnUser, own(1), undefined)
      .thenRefuses('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: true, entity: 'organization owner' });
    givenUsers([owner, botCreated(2, 1)])
      .when(decideDeactivateOwnUser, own(1), undefined)
      .thenRefuses('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: false, entity: 'user' });
    givenUsers(two).when(decideDeactivateOwnUser, own(3), undefined).thenRefuses('BOTS_NOT_ALLOWED');
  });
});

describe('permissions granted beside the role', () => {
  const give = (userId: number) => new GrantPermission({ permission: 'can_create_users', userId, by });
  const take = (userId: number) => new RevokePermission({ permission: 'can_create_users', userId, by });
  const history = [owner, created(2, 'Two@example.com')];
  const has = granted(2, 'can_create_users');
  const revoked: UserEvent = { type: 'PermissionRevoked', data: { userId: 2, permission: 'can_create_users' } };

  it('are granted once', () => {
    givenUsers(history).when(decideGrantPermission, give(2), undefined).then([has]);
    givenUsers([...history, has])
      .when(decideGrantPermission, give(2), undefined)
      .thenNothing();
    givenUsers([...history, has, revoked])
      .when(decideGrantPermission, give(2), undefined)
      .then([has]);
  });

  it('are revoked, also from deactivated accounts', () => {
    givenUsers([...history, has])
      .when(decideRevokePermission, take(2), undefined)
      .then([revoked]);
    givenUsers([...history, has, deactivated(2)])
      .when(decideRevokePermission, take(2), undefined)
      .then([revoked]);
    givenUsers(history).when(decideRevokePermission, take(2), undefined).thenNothing();
  });

  it('are refused for unknown users', () => {
    givenUsers(history).when(decideGrantPermission, give(9), undefined).thenRefuses('USER_NOT_FOUND');
    givenUsers(history).when(decideRevokePermission, take(9), undefined).thenRefuses('USER_NOT_FOUND');
    givenUsers([...history, deactivated(2)])
      .when(decideGrantPermission, give(2), undefined)
      .thenRefuses('USER_NOT_FOUND');
  });
});
