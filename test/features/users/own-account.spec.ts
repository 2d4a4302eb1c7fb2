import { describe, it } from '@jest/globals';
import type { AccountLinkEvent } from '../../../src/events/users/account-links.events.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import {
  ChangeOwnAccount,
  type ChangeOwnAccountFacts,
  decideChangeOwnAccount,
  type OwnAccountChanges,
} from '../../../src/features/users/domain/change-own-account.js';
import { PasswordRule } from '../../../src/features/users/domain/password.js';
import { type UsersState, users } from '../../../src/features/users/domain/users.state.js';
import { given } from '../../support/events/given.js';
import { botCreated, userCreated } from '../../support/events/users.js';

const by = { actorId: 2, client: 'test', correlationId: 'c' };
const people: UserEvent[] = [
  userCreated(1),
  userCreated(2, { fullName: 'Iris', passwordHash: 'old hash' }),
  userCreated(3, { fullName: 'Noor' }),
];
const facts = {
  mayRename: true,
  uniqueNames: false,
  knownHash: 'old hash',
  passwordHash: null,
  passwords: new PasswordRule(),
  mayChangeEmail: true,
  link: { keyId: 'key', tokenHash: 'token', vetoHash: 'veto', now: 1000 },
};
const change = (
  changes: OwnAccountChanges,
  more: Partial<ChangeOwnAccountFacts> = {},
  userId = 2,
  history: readonly (UserEvent | AccountLinkEvent)[] = [],
) =>
  given<UsersState, UserEvent | AccountLinkEvent>(users, [...people, botCreated(4, 2), ...history]).when(
    decideChangeOwnAccount,
    new ChangeOwnAccount({ userId, changes, by }),
    {
      ...facts,
      ...more,
    },
  );
const password = { old: 'old secret', to: 'new secret', keyHash: 'own' };
const renamed = { type: 'UserRenamed', data: { userId: 2, from: 'Iris', to: 'Iris B.' } } as const;
const secured = { type: 'PasswordChanged', data: { userId: 2, passwordHash: 'hash' } } as const;

const requested: AccountLinkEvent = {
  type: 'EmailChangeRequested',
  data: {
    userId: 2,
    keyId: 'key',
    tokenHash: 'token',
    vetoHash: 'veto',
    expiresAt: 1000 + 86_400_000,
    address: { email: 'i@example.org' },
  },
};
const link = (type: 'EmailChangeRequested' | 'PasswordResetRequested', name: string): AccountLinkEvent => {
  const data = { userId: 2, keyId: `key ${name}`, tokenHash: name, expiresAt: 1000 };
  return type === 'EmailChangeRequested' ? { type, data: { ...data, address: null, vetoHash: null } } : { type, data };
};
const endedLink = (name: string): AccountLinkEvent => ({
  type: 'AccountLinkEnded',
  data: { userId: 2, keyId: `key ${name}`, tokenHash: name, reason: 'password changed' },
});

describe("the caller's own account", () => {
  it('is renamed', () => change({ fullName: ' Iris B. ' }).then([renamed]));
  it('is not renamed to its present name', () => change({ fullName: 'Iris' }).thenNothing());
  it('is not renamed if the organization does not allow it', () =>
    change({ fullName: 'Iris B.' }, { mayRename: false }).thenNothing());
  it('refuses an empty name', () => change({ fullName: ' ' }).thenRefuses('NAME_EMPTY'));
  it('refuses the name of another user if names are unique', () =>
    change({ fullName: 'noor' }, { uniqueNames: true }).thenRefuses('NAME_TAKEN'));
  it('gets a new password, alone or together with a name', () => {
    change({ password }, { passwordHash: 'hash' }).then([secured]);
    change({ password, fullName: 'Iris B.' }, { passwordHash: 'hash' }).then([renamed, secured]);
  });
  it('loses the keys of other logins with a new password', () => {
    const issued = (keyHash: string): UserEvent => ({ type: 'ApiKeyIssued', data: { userId: 2, keyHash } });
    const ended = { type: 'ApiKeysEnded', data: { userId: 2, keyHashes: ['one', 'two'] } } as const;
    const keys = [issued('one'), issued('own'), issued('two')];
    change({ password }, { passwordHash: 'hash' }, 2, keys).then([secured, ended]);
    change({ password }, { passwordHash: 'hash' }, 2, [...keys, ended]).then([secured]);
    change({ fullName: 'Iris B.' }, {}, 2, keys).then([renamed]);
  });
  it('refuses a wrong old password, and then the name, too', () =>
    change({ password, fullName: 'Iris B.' }, { knownHash: null }).thenRefuses('WRONG_PASSWORD'));
  it('refuses an old password that was changed meanwhile', () =>
    change({ password }, { knownHash: 'older hash', passwordHash: 'hash' }).thenRefuses('WRONG_PASSWORD'));
  it('gets a new address by a link, and another by which the present address ends the request', () =>
    change({ email: 'i@example.org' }, { knownHash: null }).then([requested]));
  it('refuses a wrong password with a new address, if one is sent', () => {
    change({ email: 'i@example.org', oldPassword: 'a guess' }, { knownHash: null }).thenRefuses('WRONG_PASSWORD');
    change({ email: 'i@example.org', oldPassword: 'old secret' }).then([requested]);
    change({ email: 'user2@example.com', oldPassword: 'a guess' }, { knownHash: null }).thenNothing();
  });
  it('ends all links with a new password, also in a request that asks for a new one', () => {
    const links = [link('EmailChangeRequested', 'e'), link('PasswordResetRequested', 'p')];
    const ended = ['e', 'p'].map(endedLink);
    change({ password }, { passwordHash: 'hash' }, 2, links).then([secured, ...ended]);
    change({ password, email: 'i@example.org' }, { passwordHash: 'hash' }, 2, links).then([
      secured,
      ...ended,
      requested,
    ]);
  });
  it('refuses a password that is too short', () =>
    change({ password: { ...password, to: 'seven c' } }, { passwordHash: 'hash' }).thenRefuses(
      'NEW_PASSWORD_TOO_WEAK',
    ));
  it('refuses a password that is too long', () =>
    change({ password: { ...password, to: 'x'.repeat(101) } }, { passwordHash: 'hash' }).thenRefuses(
      'PASSWORD_TOO_LONG',
    ));
  it('is not changed for bots', () => change({ fullName: 'Iris B.' }, {}, 4).thenRefuses('BOTS_NOT_ALLOWED'));
});
