import { describe, it } from '@jest/globals';
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
const facts = { mayRename: true, uniqueNames: false, knownHash: 'old hash', passwordHash: null };
const change = (changes: OwnAccountChanges, more: Partial<ChangeOwnAccountFacts> = {}, userId = 2) =>
  given<UsersState, UserEvent>(users, [...people, botCreated(4, 2)]).when(
    decideChangeOwnAccount,
    new ChangeOwnAccount(userId, changes, by),
    {
      ...facts,
      ...more,
    },
  );
const password = { old: 'old secret', to: 'new secret' };
const renamed = { type: 'UserRenamed', data: { userId: 2, from: 'Iris', to: 'Iris B.' } } as const;
const secured = { type: 'PasswordChanged', data: { userId: 2, passwordHash: 'hash' } } as const;

describe("one's own account", () => {
  it('gets another name', () => change({ fullName: ' Iris B. ' }).then([renamed]));
  it('keeps the name that it has', () => change({ fullName: 'Iris' }).thenNothing());
  it('keeps it where the organisation does not let people change names', () =>
    change({ fullName: 'Iris B.' }, { mayRename: false }).thenNothing());
  it('gets no name that is none', () => change({ fullName: ' ' }).thenRefuses('NAME_EMPTY'));
  it("gets nobody else's where names are unique", () =>
    change({ fullName: 'noor' }, { uniqueNames: true }).thenRefuses('NAME_TAKEN'));
  it('gets another password, and both at once', () => {
    change({ password }, { passwordHash: 'hash' }).then([secured]);
    change({ password, fullName: 'Iris B.' }, { passwordHash: 'hash' }).then([renamed, secured]);
  });
  it('gets none without the old one, and no name with it either', () =>
    change({ password, fullName: 'Iris B.' }, { knownHash: null }).thenRefuses('WRONG_PASSWORD'));
  it('gets none for the one that it had before', () =>
    change({ password }, { knownHash: 'older hash', passwordHash: 'hash' }).thenRefuses('WRONG_PASSWORD'));
  it('gets none that is too short', () =>
    change({ password: { ...password, to: '12345' } }, { passwordHash: 'hash' }).thenRefuses('PASSWORD_TOO_WEAK'));
  it('is no bot', () => change({ fullName: 'Iris B.' }, {}, 4).thenRefuses('BOTS_NOT_ALLOWED'));
});
