import { describe, it } from '@jest/globals';
import { ROLES, type Role } from '../../src/kernel/role.js';
import { CreateUser, decideCreateUser } from '../../src/users/domain/create-user.js';
import { DeactivateUser, decideDeactivateUser } from '../../src/users/domain/deactivate-user.js';
import { decideIssueApiKey, IssueApiKey } from '../../src/users/domain/issue-api-key.js';
import type { UserEvent } from '../../src/users/domain/users.events.js';
import type { SpecialPermission } from '../../src/users/domain/users.settings.js';
import { users } from '../../src/users/domain/users.state.js';
import { given } from '../support/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const facts = { mayCreate: true, passwordHash: 'hash', uniqueNames: false, channelIds: [] };

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
  new CreateUser(
    { email: 'iris@example.com', fullName: 'Iris', password: 'secret', role: ROLES.member, ...changes },
    by,
  );

describe('creating an account', () => {
  it('gives the next id', () => {
    given(users, [owner, created(7, 'seven@example.com')])
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
    given(users, [])
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

  it('keeps addresses unique without regard to case, of deactivated accounts too', () => {
    const history = [owner, created(2, 'Iris@Example.com'), deactivated(2)];
    given(users, history)
      .when(decideCreateUser, account(), facts)
      .thenRefuses('EMAIL_TAKEN', { email: 'iris@example.com' });
  });

  it('is not for everybody', () => {
    given(users, [owner])
      .when(decideCreateUser, account(), { ...facts, mayCreate: false })
      .thenRefuses('MAY_NOT_CREATE_USERS');
  });

  it.each(['', 'iris', '@example.com', 'iris@', 'a b@example.com', 'a@b@c', `${'x'.repeat(250)}@example.com`])(
    'refuses the address %j',
    (email) => {
      given(users, [owner])
        .when(decideCreateUser, account({ email }), facts)
        .thenRefuses('INVALID_NEW_EMAIL', { email });
    },
  );

  it.each([
    ['', 'NAME_EMPTY'],
    ['   ', 'NAME_EMPTY'],
    ['x'.repeat(101), 'NAME_TOO_LONG'],
    ['a\u0000b', 'NAME_INVALID'],
    ['**bold**', 'NAME_INVALID'],
    ['a@b', 'NAME_INVALID'],
  ])('refuses the name %j', (fullName, code) => {
    given(users, [owner]).when(decideCreateUser, account({ fullName }), facts).thenRefuses(code);
  });

  it('counts the characters of a name, not their UTF-16 units', () => {
    given(users, [owner])
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
    given(users, [owner])
      .when(decideIssueApiKey, new IssueApiKey(1, 'abc', by), undefined)
      .then([{ type: 'ApiKeyIssued', data: { userId: 1, keyHash: 'abc' } }]);
  });

  it('refuses an account that does not exist or is deactivated', () => {
    const history = [owner, created(2, 'two@example.com'), deactivated(2)];
    given(users, history)
      .when(decideIssueApiKey, new IssueApiKey(3, 'abc', by), undefined)
      .thenRefuses('USER_NOT_FOUND');
    given(users, history)
      .when(decideIssueApiKey, new IssueApiKey(2, 'abc', by), undefined)
      .thenRefuses('USER_DEACTIVATED');
  });
});

describe('deactivating an account', () => {
  const administrator = { isAdministrator: true, isOwner: true };

  it('is done by administrators', () => {
    const history = [owner, created(2, 'two@example.com')];
    given(users, history)
      .when(decideDeactivateUser, new DeactivateUser(2, by), administrator)
      .then([deactivated(2)]);
    given(users, history)
      .when(decideDeactivateUser, new DeactivateUser(2, by), { isAdministrator: false, isOwner: false })
      .thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it('never leaves an organisation without an owner', () => {
    given(users, [owner, created(2, 'two@example.com')])
      .when(decideDeactivateUser, new DeactivateUser(1, by), administrator)
      .thenRefuses('ONLY_OWNER');
    given(users, [owner, created(2, 'two@example.com', ROLES.owner)])
      .when(decideDeactivateUser, new DeactivateUser(1, by), administrator)
      .then([deactivated(1)]);
    given(users, [owner, created(2, 'two@example.com', ROLES.owner), deactivated(2)])
      .when(decideDeactivateUser, new DeactivateUser(1, by), administrator)
      .thenRefuses('ONLY_OWNER');
  });

  it('does nothing the second time', () => {
    given(users, [owner, created(2, 'two@example.com'), deactivated(2)])
      .when(decideDeactivateUser, new DeactivateUser(2, by), administrator)
      .thenNothing();
  });

  it('refuses an unknown account', () => {
    given(users, [owner])
      .when(decideDeactivateUser, new DeactivateUser(9, by), administrator)
      .thenRefuses('USER_NOT_FOUND');
  });
});
