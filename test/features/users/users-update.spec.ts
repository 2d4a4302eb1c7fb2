import { describe, it } from '@jest/globals';
import type { ProfileField } from '../../../src/events/organization/organization.settings.js';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import type { AccountLinkEvent } from '../../../src/events/users/account-links.events.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import { CreateUser, decideCreateUser } from '../../../src/features/users/domain/create-user.js';
import { PasswordRule } from '../../../src/features/users/domain/password.js';
import {
  decideUpdateUser,
  UpdateUser,
  type UpdateUserFacts,
  type UserChanges,
} from '../../../src/features/users/domain/update-user.js';
import { type UsersState, users } from '../../../src/features/users/domain/users.state.js';
import { given } from '../../support/events/given.js';
import { botCreated, userCreated } from '../../support/events/users.js';

const givenUsers = (history: readonly (UserEvent | AccountLinkEvent)[]) =>
  given<UsersState, UserEvent | AccountLinkEvent>(users, history);
const by = { actorId: 1, client: 'test', correlationId: 'c' };
const field = (id: number, type: number, fieldData = ''): ProfileField => ({
  id,
  name: `field ${id}`,
  hint: '',
  type,
  fieldData,
  displayInProfileSummary: false,
  required: false,
  editableByUser: true,
  useForUserMatching: false,
});
const profileFields = [
  field(1, 1),
  field(2, 2),
  field(3, 3, '{"0":{"text":"A","order":"1"}}'),
  field(4, 4),
  field(5, 5),
  field(6, 6),
  field(7, 7, '{"subtype":"github"}'),
  field(8, 8),
  field(9, 3, ''),
];
const facts: UpdateUserFacts = {
  isAdministrator: true,
  isOwner: true,
  mayChangeEmails: true,
  uniqueNames: false,
  profileFields,
  render: (text) => `<p>${text}</p>`,
};
const administrator = { ...facts, isOwner: false, mayChangeEmails: false };

const history: UserEvent[] = [
  userCreated(1, { role: ROLES.owner }),
  userCreated(2),
  userCreated(3, { role: ROLES.guest }),
  botCreated(4, 2),
  userCreated(5),
  { type: 'UserDeactivated', data: { userId: 5, notice: null } },
];
const said: UserEvent = {
  type: 'UserProfileChanged',
  data: { userId: 2, fieldId: 1, from: null, to: 'a', rendered: '<p>a</p>' },
};
const update = (changes: UserChanges, userId = 2) => new UpdateUser({ userId, changes, by });
const when = (changes: UserChanges, context = facts, userId = 2) =>
  givenUsers(history).when(decideUpdateUser, update(changes, userId), context);

describe('changing an account', () => {
  it('is allowed to administrators, for active accounts', () => {
    when({ fullName: 'x' }, { ...facts, isAdministrator: false }).thenRefuses('ADMINISTRATOR_REQUIRED');
    when({ fullName: 'x' }, { ...facts, isAdministrator: false }, 99).thenRefuses('ADMINISTRATOR_REQUIRED');
    when({ fullName: 'x' }, facts, 99).thenRefuses('USER_NOT_FOUND');
    when({ fullName: 'x' }, facts, 5).thenRefuses('USER_NOT_FOUND');
  });

  it('appends one event for each change, with the old and the new value', () => {
    const changes = { fullName: ' Iris ', role: ROLES.moderator, email: 'i@example.com' };
    when({ ...changes, profile: [{ fieldId: 1, value: 'a' }] }).then([
      { type: 'UserRenamed', data: { userId: 2, from: 'User 2', to: 'Iris' } },
      { type: 'UserRoleChanged', data: { userId: 2, from: 400, to: 300 } },
      said,
      { type: 'UserEmailChanged', data: { userId: 2, from: 'user2@example.com', to: 'i@example.com' } },
    ]);
  });

  it('does nothing when nothing changes', () => {
    when({}).thenNothing();
    when({ fullName: 'User 2 ', role: ROLES.member, email: 'user2@example.com', profile: [] }).thenNothing();
    when({ profile: [{ fieldId: 1, value: '' }] }).thenNothing();
    givenUsers([...history, said])
      .when(decideUpdateUser, update({ profile: [{ fieldId: 1, value: 'a' }] }), facts)
      .thenNothing();
    // An administrator without the permission may repeat the present address.
    when({ email: 'user2@example.com', role: ROLES.member }, administrator).thenNothing();
  });

  describe('of the name', () => {
    it.each([
      ['', 'NAME_EMPTY'],
      [' \t', 'NAME_EMPTY'],
      ['x'.repeat(101), 'NAME_TOO_LONG'],
      ['a>b', 'NAME_INVALID'],
    ])('refuses %j', (fullName, code) => when({ fullName }).thenRefuses(code));

    it('refuses the name of an active user if the organization requires unique names', () => {
      const unique = { ...facts, uniqueNames: true };
      when({ fullName: 'USER 3' }, unique).thenRefuses('NAME_TAKEN');
      when({ fullName: 'USER 3' }).then([{ type: 'UserRenamed', data: { userId: 2, from: 'User 2', to: 'USER 3' } }]);
      when({ fullName: 'User 5' }, unique).then([
        { type: 'UserRenamed', data: { userId: 2, from: 'User 2', to: 'User 5' } },
      ]);
      when({ fullName: 'user 2' }, unique).then([
        { type: 'UserRenamed', data: { userId: 2, from: 'User 2', to: 'user 2' } },
      ]);
      const account = { email: 'n@example.com', fullName: 'user 3', password: null, role: ROLES.member };
      givenUsers(history)
        .when(decideCreateUser, new CreateUser({ account, by }), {
          isAdministrator: true,
          mayCreate: true,
          passwordHash: null,
          passwords: new PasswordRule(),
          uniqueNames: true,
          channelIds: [],
        })
        .thenRefuses('NAME_TAKEN');
    });

    it('refuses the name of another bot for a bot', () => {
      givenUsers([...history, botCreated(6, 2)])
        .when(decideUpdateUser, update({ fullName: 'bot 6' }, 4), facts)
        .thenRefuses('BOT_NAME_TAKEN');
    });
  });

  describe('of the role', () => {
    const changed = (userId: number, from: Role, to: Role): UserEvent => ({
      type: 'UserRoleChanged',
      data: { userId, from, to },
    });
    const second = userCreated(6, { role: ROLES.owner });

    it('allows administrators to change all roles except owner', () => {
      for (const role of [200, 300, 600] as const) when({ role }, administrator).then([changed(2, 400, role)]);
    });

    it('needs an owner to make or demote an owner', () => {
      when({ role: ROLES.owner }, administrator).thenRefuses('OWNER_REQUIRED');
      when({ role: ROLES.member }, administrator, 1).thenRefuses('OWNER_REQUIRED');
      when({ role: ROLES.owner }).then([changed(2, 400, 100)]);
    });

    it('never leaves the organization without an active owner who is a person', () => {
      when({ role: ROLES.member }, facts, 1).thenRefuses('ONLY_OWNER_DEMOTED');
      const ofBot = botCreated(7, 2, { role: ROLES.owner });
      const gone: UserEvent = { type: 'UserDeactivated', data: { userId: 6, notice: null } };
      for (const more of [[ofBot], [second, gone], [second, changed(6, 100, 200)]])
        givenUsers([...history, ...more])
          .when(decideUpdateUser, update({ role: ROLES.member }, 1), facts)
          .thenRefuses('ONLY_OWNER_DEMOTED');
      for (const more of [
        [second],
        [second, gone, { type: 'UserReactivated', data: { userId: 6 } } as const],
        [changed(2, 400, 100)],
      ])
        givenUsers([...history, ...more])
          .when(decideUpdateUser, update({ role: ROLES.member }, 1), facts)
          .then([changed(1, 100, 400)]);
    });

    it('refuses to make a guest an administrator', () => {
      for (const role of [ROLES.owner, ROLES.administrator])
        when({ role }, facts, 3).thenRefuses('GUEST_CANNOT_ADMINISTER');
      when({ role: ROLES.member }, administrator, 3).then([changed(3, 600, 400)]);
    });
  });

  describe('of the address', () => {
    it('needs an owner with the permission', () => {
      when({ email: 'n@example.com' }, { ...facts, isOwner: false }).thenRefuses('OWNER_REQUIRED');
      when({ email: 'n@example.com' }, { ...facts, mayChangeEmails: false }).thenRefuses('MAY_NOT_CHANGE_EMAILS');
    });

    it('refuses invalid addresses, addresses in use, and new addresses for bots', () => {
      when({ email: 'nowhere' }).thenRefuses('INVALID_NEW_EMAIL', { email: 'nowhere' });
      for (const email of ['user1@example.com', 'USER3@example.com', 'user5@example.com', 'bot4-bot@example.com'])
        when({ email }).thenRefuses('EMAIL_TAKEN', { email });
      when({ email: 'n@example.com' }, facts, 4).thenRefuses('BOTS_KEEP_THEIR_ADDRESS');
    });

    it('allows the own address in another case, and frees the former address', () => {
      const upper: UserEvent = {
        type: 'UserEmailChanged',
        data: { userId: 2, from: 'user2@example.com', to: 'USER2@example.com' },
      };
      when({ email: 'USER2@example.com' }).then([upper]);
      givenUsers([...history, upper])
        .when(decideUpdateUser, update({ email: 'user2@example.com' }, 3), facts)
        .thenRefuses('EMAIL_TAKEN');
      const away: UserEvent = {
        type: 'UserEmailChanged',
        data: { userId: 2, from: 'user2@example.com', to: 'n@example.com' },
      };
      givenUsers([...history, away])
        .when(decideUpdateUser, update({ email: 'User2@example.com' }, 3), facts)
        .then([{ type: 'UserEmailChanged', data: { userId: 3, from: 'user3@example.com', to: 'User2@example.com' } }]);
    });
  });

  describe('of the profile', () => {
    it.each<[number, string, string | null]>([
      [1, '😀'.repeat(50), `<p>${'😀'.repeat(50)}</p>`],
      [2, 'x'.repeat(500), `<p>${'x'.repeat(500)}</p>`],
      [3, '0', null],
      [4, '2000-02-29', null],
      [5, 'HTTP://example.com/a?b#c', null],
      [6, '[1,2,3]', null],
      [7, 'iris', null],
      [8, 'they/them', null],
    ])('accepts for field %i %j, and renders fields with Markdown', (fieldId, value, rendered) =>
      when({ profile: [{ fieldId, value }] }).then([
        { type: 'UserProfileChanged', data: { userId: 2, fieldId, from: null, to: value, rendered } },
      ]),
    );

    it.each<[number, string, string]>([
      [1, 'x'.repeat(51), 'PROFILE_VALUE_TOO_LONG'],
      [2, 'x'.repeat(501), 'PROFILE_VALUE_TOO_LONG'],
      [3, '1', 'PROFILE_OPTION_UNKNOWN'],
      [3, 'toString', 'PROFILE_OPTION_UNKNOWN'],
      [9, '0', 'PROFILE_OPTION_UNKNOWN'],
      [4, '2001-02-29', 'PROFILE_VALUE_INVALID'],
      [4, '2000-13-01', 'PROFILE_VALUE_INVALID'],
      [4, '2000-00-01', 'PROFILE_VALUE_INVALID'],
      [4, '2000-04-31', 'PROFILE_VALUE_INVALID'],
      [4, '1900-02-29', 'PROFILE_VALUE_INVALID'],
      [4, '0000-01-01', 'PROFILE_VALUE_INVALID'],
      [4, '2000-1-1', 'PROFILE_VALUE_INVALID'],
      [5, 'ftp://example.com', 'PROFILE_VALUE_INVALID'],
      [5, 'https://', 'PROFILE_VALUE_INVALID'],
      [5, 'https://a b', 'PROFILE_VALUE_INVALID'],
      [6, 'nobody', 'PROFILE_VALUE_INVALID'],
      [6, '{}', 'PROFILE_VALUE_INVALID'],
      [6, '[99]', 'INVALID_USER_ID'],
      [6, '["1"]', 'INVALID_USER_ID'],
      [6, '[4]', 'INVALID_USER_ID'],
      [6, '[5]', 'INVALID_USER_ID'],
      [7, 'x'.repeat(51), 'PROFILE_VALUE_TOO_LONG'],
      [8, 'x'.repeat(51), 'PROFILE_VALUE_TOO_LONG'],
      [99, 'x', 'PROFILE_FIELD_UNKNOWN'],
      [99, '', 'PROFILE_FIELD_UNKNOWN'],
    ])('refuses for field %i %j', (fieldId, value, code) => when({ profile: [{ fieldId, value }] }).thenRefuses(code));

    it('uses the last entry for a field', () => {
      const entry = (value: string) => ({ fieldId: 1, value });
      when({ profile: [entry('a'), entry('b')] }).then([
        { type: 'UserProfileChanged', data: { userId: 2, fieldId: 1, from: null, to: 'b', rendered: '<p>b</p>' } },
      ]);
      when({ profile: [entry('a'), entry('')] }).thenNothing();
    });

    it('renders nothing when a field is emptied', () => {
      givenUsers([...history, said])
        .when(decideUpdateUser, update({ profile: [{ fieldId: 1, value: '' }] }), facts)
        .then([{ type: 'UserProfileChanged', data: { userId: 2, fieldId: 1, from: 'a', to: null, rendered: null } }]);
    });

    it('refuses bots', () => {
      when({ profile: [{ fieldId: 1, value: 'a' }] }, facts, 4).thenRefuses('BOTS_HAVE_NO_PROFILE');
    });
  });

  it('refuses all changes when it refuses one', () => {
    when({ fullName: 'New', role: ROLES.moderator, profile: [{ fieldId: 1, value: 'a' }], email: 'no' }).thenRefuses(
      'INVALID_NEW_EMAIL',
    );
  });
});
