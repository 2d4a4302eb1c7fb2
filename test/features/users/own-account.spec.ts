import { describe, it } from '@jest/globals';
import type { AccountLinkEvent } from '../../../src/events/users/account-links.events.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import {
  ChangeOwnAccount,
  type ChangeOwnAccountFacts,
  decideChangeOwnAccount,
  type OwnAccountChanges,
} from '../../../src/features/users/domain/change-own-account.js';
import { type UsersState, users } from '../../../src/features/users/domain/users.state.js';
import { given } from '../../support/given.js';
import { botCreated, userCreated } from '../../support/users.js';

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
  mayChangeEmail: true,
  link: { keyId: 'key', tokenHash: 'token', now: 1000 },
};
const change = (
  changes: OwnAccountChanges,
  more: Partial<ChangeOwnAccountFacts> = {},
  userId = 2,
  history: readonly UserEvent[] = [],
) =>
  given<UsersState, UserEvent | AccountLinkEvent>(users, [...people, botCreated(4, 2), ...history]).when(
    decideChangeOwnAccount,
    new ChangeOwnAccount(userId, changes, by),
    {
      ...facts,
      ...more,
    },
  );
const password = { old: 'old secret', to: 'new secret', keyHash: 'own' };
const renamed = { type: 'UserRenamed', data: { userId: 2, from: 'Iris', to: 'Iris B.' } } as const;
const secured = { type: 'PasswordChanged', data: { userId: 2, passwordHash: 'hash' } } as const;

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
  it('refuses a password that is too short', () =>
    change({ password: { ...password, to: '12345' } }, { passwordHash: 'hash' }).thenRefuses('PASSWORD_TOO_WEAK'));
  it('is not changed for bots', () => change({ fullName: 'Iris B.' }, {}, 4).thenRefuses('BOTS_NOT_ALLOWED'));
});
