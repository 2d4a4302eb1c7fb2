import { describe, it } from '@jest/globals';
import type { AccountLinkEvent } from '../../../src/events/users/account-links.events.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import {
  DeactivateOwnUser,
  DeactivateUser,
  decideDeactivateOwnUser,
  decideDeactivateUser,
} from '../../../src/features/users/domain/activity.js';
import {
  decideEndApiKey,
  decideIssueApiKey,
  decideRegenerateApiKey,
  EndApiKey,
  IssueApiKey,
  RegenerateApiKey,
} from '../../../src/features/users/domain/api-keys.js';
import { PasswordRule } from '../../../src/features/users/domain/password.js';
import {
  ConfirmEmailChange,
  decideConfirmEmailChange,
  decideEndOldAccountLinks,
  decideRequestPasswordReset,
  decideResetPassword,
  decideVetoEmailChange,
  EndOldAccountLinks,
  RequestPasswordReset,
  ResetPassword,
  VetoEmailChange,
} from '../../../src/features/users/domain/use-account-link.js';
import { type UsersState, users } from '../../../src/features/users/domain/users.state.js';
import { given } from '../../support/events/given.js';
import { botCreated, userCreated } from '../../support/events/users.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 100 * DAY_MS;
const by = { actorId: 2, client: 'test', correlationId: 'c' };

type Event = UserEvent | AccountLinkEvent;
type Reason = Extract<AccountLinkEvent, { type: 'AccountLinkEnded' }>['data']['reason'];

const people: readonly Event[] = [
  userCreated(1),
  userCreated(2, { email: 'iris@example.org' }),
  botCreated(3, 2),
  userCreated(4),
  { type: 'UserDeactivated', data: { userId: 4, notice: null } },
];
const keys = (name: string) => ({ keyId: `key ${name}`, tokenHash: name });
const toChange = (name: string, at = NOW, userId = 2): Event => ({
  type: 'EmailChangeRequested',
  data: { userId, ...keys(name), expiresAt: at + DAY_MS, address: null, vetoHash: `veto ${name}` },
});
const toReset = (name: string, at = NOW, userId = 2): Event => ({
  type: 'PasswordResetRequested',
  data: { userId, ...keys(name), expiresAt: at + 3 * DAY_MS },
});
const ended = (name: string, reason: Reason): Event => ({
  type: 'AccountLinkEnded',
  data: { userId: 2, ...keys(name), reason },
});
const since = (...events: readonly Event[]) => given<UsersState, Event>(users, [...people, ...events]);
const renamed: Event = { type: 'UserEmailChanged', data: { userId: 2, from: 'iris@example.org', to: 'i@example.org' } };

describe('the link to a new address', () => {
  const confirm = (name: string, ...events: readonly Event[]) => ({
    at: (now: number, email: string | null = 'i@example.org') =>
      since(...events).when(decideConfirmEmailChange, new ConfirmEmailChange({ tokenHash: name, by }), { email, now }),
  });

  it('changes the address, and ends itself and links to a new password', () =>
    confirm('a', toReset('p'), toChange('a'))
      .at(NOW)
      .then([renamed, ended('a', 'used'), ended('p', 'address changed')]));
  it('is refused when it is used, unknown, too old, or for something else', () => {
    confirm('a', toChange('a'), ended('a', 'used')).at(NOW).thenRefuses('LINK_UNUSABLE');
    confirm('b', toChange('a')).at(NOW).thenRefuses('LINK_UNUSABLE');
    confirm('a', toChange('a'))
      .at(NOW + DAY_MS)
      .thenRefuses('LINK_UNUSABLE');
    confirm('a', toReset('a')).at(NOW).thenRefuses('LINK_UNUSABLE');
    confirm('a', toChange('a')).at(NOW, null).thenRefuses('LINK_UNUSABLE');
  });
  it('is refused for a deactivated account', () =>
    confirm('a', toChange('a', NOW, 4))
      .at(NOW)
      .thenRefuses('LINK_UNUSABLE'));
  it('is refused if the address is taken meanwhile', () =>
    confirm('a', toChange('a'), userCreated(5, { email: 'I@example.org' }))
      .at(NOW)
      .thenRefuses('EMAIL_TAKEN'));
});

describe('the link to a new password', () => {
  const link = { ...keys('new'), now: NOW };
  const ask =
    (...events: readonly Event[]) =>
    (userId = 2) =>
      since(...events).when(decideRequestPasswordReset, new RequestPasswordReset({ userId, by }), link);
  const reset = (name: string, ...events: readonly Event[]) => ({
    at: (now: number, password = 'new secret') =>
      since(...events).when(decideResetPassword, new ResetPassword({ tokenHash: name, password, by }), {
        passwordHash: 'hash',
        passwords: new PasswordRule(),
        now,
      }),
  });
  const secured: Event = { type: 'PasswordChanged', data: { userId: 2, passwordHash: 'hash' } };
  const issued: Event = { type: 'ApiKeyIssued', data: { userId: 2, keyHash: 'one' } };

  it('replaces an earlier one', () =>
    ask(toReset('a', NOW - 1), toChange('e'))().then([ended('a', 'replaced'), toReset('new')]));
  it('is made for no bot, no deactivated account, and nobody', () => {
    for (const userId of [3, 4, 99]) ask()(userId).thenNothing();
  });
  it('is made twice an hour and five times a day, whatever became of the others', () => {
    const at = (...hours: readonly number[]) =>
      hours.flatMap((hour, n) => [toReset(`${n}`, NOW - hour * HOUR_MS), ended(`${n}`, 'used')]);
    ask(...at(1.1, 0.5))().then([toReset('new')]);
    ask(...at(0.9, 0.5))().thenRefuses('RATE_LIMIT_HIT');
    ask(...at(25, 23, 20, 10, 5))().then([toReset('new')]);
    ask(...at(23, 20, 15, 10, 5))().thenRefuses('RATE_LIMIT_HIT');
  });
  it('sets the password once, and ends every login', () => {
    const endedKeys: Event = { type: 'ApiKeysEnded', data: { userId: 2, keyHashes: ['one'] } };
    reset('a', issued, toReset('a'))
      .at(NOW)
      .then([secured, endedKeys, ended('a', 'used')]);
    reset('a', toReset('a'), ended('a', 'used')).at(NOW).thenRefuses('LINK_UNUSABLE');
  });
  it('is refused when it is too old, and for a password that is too short or too long', () => {
    reset('a', toReset('a'))
      .at(NOW + 3 * DAY_MS)
      .thenRefuses('LINK_UNUSABLE');
    reset('a', toReset('a')).at(NOW, 'seven c').thenRefuses('PASSWORD_TOO_WEAK');
    reset('a', toReset('a')).at(NOW, 'x'.repeat(101)).thenRefuses('PASSWORD_TOO_LONG');
  });
  it('ends with a login', () =>
    since(toReset('a'), toChange('e'))
      .when(decideIssueApiKey, new IssueApiKey({ userId: 2, keyHash: 'two', by }), undefined)
      .then([{ type: 'ApiKeyIssued', data: { userId: 2, keyHash: 'two' } }, ended('a', 'logged in')]));
});

describe('the link that ends the request for a new address', () => {
  const veto = (tokenHash: string | null, ...events: readonly Event[]) => ({
    at: (now: number, vetoHash = 'veto a') =>
      since(...events).when(decideVetoEmailChange, new VetoEmailChange({ vetoHash, by }), { tokenHash, now }),
  });

  it('ends it', () =>
    veto('a', toChange('a'), toReset('p'))
      .at(NOW)
      .then([ended('a', 'vetoed')]));
  it('is refused when the request is over, unknown or another', () => {
    veto('a', toChange('a'), ended('a', 'used')).at(NOW).thenRefuses('LINK_UNUSABLE');
    veto('a', toChange('a'))
      .at(NOW + DAY_MS)
      .thenRefuses('LINK_UNUSABLE');
    veto(null, toChange('a')).at(NOW).thenRefuses('LINK_UNUSABLE');
    veto('b', toChange('a'), toChange('b')).at(NOW).thenRefuses('LINK_UNUSABLE');
    veto('a', toReset('a')).at(NOW).thenRefuses('LINK_UNUSABLE');
  });
});

describe('all links of an account', () => {
  const links = [toChange('e'), toReset('p')];
  const both = (reason: Reason) => [ended('e', reason), ended('p', reason)];

  it('end with a reset of the password', () =>
    since(...links, { type: 'ApiKeyIssued', data: { userId: 2, keyHash: 'one' } })
      .when(decideResetPassword, new ResetPassword({ tokenHash: 'p', password: 'new secret', by }), {
        passwordHash: 'hash',
        passwords: new PasswordRule(),
        now: NOW,
      })
      .then([
        { type: 'PasswordChanged', data: { userId: 2, passwordHash: 'hash' } },
        { type: 'ApiKeysEnded', data: { userId: 2, keyHashes: ['one'] } },
        ended('p', 'used'),
        ended('e', 'password changed'),
      ]));
  it('end when the API keys are regenerated', () =>
    since(...links)
      .when(decideRegenerateApiKey, new RegenerateApiKey({ userId: 2, by }), { keyHash: 'k' })
      .then([{ type: 'ApiKeysRegenerated', data: { userId: 2, keyHash: 'k' } }, ...both('keys regenerated')]));
  it('end when the account is deactivated, by an administrator or by its owner', () => {
    const gone: Event = { type: 'UserDeactivated', data: { userId: 2, notice: null } };
    const bot: Event = { type: 'UserDeactivated', data: { userId: 3, notice: null } };
    const facts = { isAdministrator: true, isOwner: false };
    since(...links)
      .when(decideDeactivateUser, new DeactivateUser({ userId: 2, by, notice: null }), facts)
      .then([gone, bot, ...both('deactivated')]);
    since(...links)
      .when(decideDeactivateOwnUser, new DeactivateOwnUser({ userId: 2, by }), undefined)
      .then([gone, bot, ...both('deactivated')]);
  });
  it('to a new address end with an API key, which may have asked for it', () =>
    since(...links, { type: 'ApiKeyIssued', data: { userId: 2, keyHash: 'one' } })
      .when(decideEndApiKey, new EndApiKey({ userId: 2, keyHash: 'one', by }), undefined)
      .then([{ type: 'ApiKeysEnded', data: { userId: 2, keyHashes: ['one'] } }, ended('e', 'key ended')]));
});

describe('links whose time is over', () => {
  it('end', () =>
    since(toReset('a', NOW - 3 * DAY_MS), toReset('b', NOW - 2 * DAY_MS), toChange('c', NOW - DAY_MS))
      .when(decideEndOldAccountLinks, new EndOldAccountLinks({ by }), { now: NOW })
      .then([ended('a', 'expired'), ended('c', 'expired')]));
});
