import { describe, it } from '@jest/globals';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import type { AccountLinkEvent } from '../../../src/events/users/account-links.events.js';
import type { BotWebhookReplaced } from '../../../src/events/users/bot-webhooks.events.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import { decideReactivateUser, ReactivateUser } from '../../../src/features/users/domain/activity.js';
import {
  decideRegenerateApiKey,
  decideRegenerateBotApiKey,
  RegenerateApiKey,
  RegenerateBotApiKey,
} from '../../../src/features/users/domain/api-keys.js';
import {
  type BotChanges,
  type BotKeeper,
  CreateBot,
  type CreateBotFacts,
  DeactivateBot,
  decideCreateBot,
  decideDeactivateBot,
  decideUpdateBot,
  UpdateBot,
} from '../../../src/features/users/domain/bots.js';
import { type UsersState, users } from '../../../src/features/users/domain/users.state.js';
import { given } from '../../support/events/given.js';
import { botCreated, userCreated, webhookSet } from '../../support/events/users.js';

const by = { actorId: 2, client: 'test', correlationId: 'c' };
const keeper = (id: number | null, rank: Partial<BotKeeper> = {}): BotKeeper => ({
  id,
  isAdministrator: false,
  isOwner: false,
  ...rank,
});
const itsOwner = keeper(2);
const stranger = keeper(3);
const administrator = keeper(3, { isAdministrator: true });
const owner = keeper(1, { isAdministrator: true, isOwner: true });
const gone = (userId: number): UserEvent => ({ type: 'UserDeactivated', data: { userId, notice: null } });
const role = (userId: number, to: Role): UserEvent => ({
  type: 'UserRoleChanged',
  data: { userId, from: ROLES.member, to },
});
const privileged: UserEvent = { type: 'PermissionGranted', data: { userId: 4, permission: 'can_create_users' } };
const SECRETS = { keyId: 'key', token: 'token' };
const history: UserEvent[] = [userCreated(1, { role: ROLES.owner }), userCreated(2), userCreated(3), botCreated(4, 2)];

describe('creating a bot', () => {
  const facts: CreateBotFacts = {
    ownerId: 2,
    keyHash: 'new key',
    uniqueNames: false,
    domain: 'example.com',
    secrets: SECRETS,
    mayCreateBots: true,
    mayCreateWriteOnlyBots: false,
  };
  const command = (changes: Partial<CreateBot['bot']> = {}) =>
    new CreateBot({ bot: { fullName: ' Echo ', shortName: ' echo ', type: 1, ...changes }, by });
  const when = (changes: Partial<CreateBot['bot']> = {}, more: Partial<CreateBotFacts> = {}) =>
    given(users, history).when(decideCreateBot, command(changes), { ...facts, ...more });

  it('gives the bot the next id, an address from its short name, and a key', () => {
    when().then([
      {
        type: 'BotCreated',
        data: {
          userId: 5,
          email: 'echo-bot@example.com',
          fullName: 'Echo',
          role: ROLES.member,
          botType: 1,
          ownerId: 2,
          keyHash: 'new key',
        },
      },
    ]);
  });

  it('needs the permission for its type, or the one for all types', () => {
    when({ type: 1 }, { mayCreateBots: false, mayCreateWriteOnlyBots: true }).thenRefuses('NOT_AUTHORIZED');
    when({ type: 2 }, { mayCreateBots: false }).thenRefuses('NOT_AUTHORIZED');
    for (const may of [{ mayCreateBots: true }, { mayCreateBots: false, mayCreateWriteOnlyBots: true }])
      when({ type: 2 }, may).then([
        botCreated(5, 2, { email: 'echo-bot@example.com', fullName: 'Echo', botType: 2, keyHash: 'new key' }),
      ]);
  });

  it('is refused if the owner has been deactivated meanwhile', () => {
    given(users, [...history, gone(2)])
      .when(decideCreateBot, command(), facts)
      .thenRefuses('USER_DEACTIVATED');
    given(users, [...history, gone(2), { type: 'UserReactivated', data: { userId: 2 } }])
      .when(decideCreateBot, command({ type: 4 }), facts)
      .thenRefuses('BOT_TYPE_UNSUPPORTED');
  });

  it('refuses unsupported types', () => {
    for (const type of [0, 4, 5]) when({ type }).thenRefuses('BOT_TYPE_UNSUPPORTED');
  });

  it('gives an outgoing webhook bot its URL and a token', () => {
    const webhook = { url: 'https://example.com/hook', interface: 2 };
    when({ type: 3, webhook }).then([
      botCreated(5, 2, { email: 'echo-bot@example.com', fullName: 'Echo', botType: 3, keyHash: 'new key' }),
      webhookSet(5, { interface: 2, keyId: 'key', webhook: { url: webhook.url, token: 'token' } }),
    ]);
    const parameter = 'payload_url';
    for (const url of ['', 'example.com', 'ftp://example.com', `https://example.com/${'x'.repeat(2000)}`])
      when({ type: 3, webhook: { ...webhook, url } }).thenRefuses('NOT_A_URL', { parameter });
    when({ type: 3, webhook: { ...webhook, url: 'https://me:you@example.com' } }).thenRefuses('URL_WITH_USER', {
      parameter,
    });
    when({ type: 3, webhook: { ...webhook, interface: 3 } }).thenRefuses('WEBHOOK_INTERFACE_INVALID');
    when({ type: 3 }).thenRefuses('NOT_A_URL', { parameter });
    when({ type: 3, webhook }, { mayCreateBots: false, mayCreateWriteOnlyBots: true }).thenRefuses('NOT_AUTHORIZED');
  });

  it('refuses names that are in use or invalid', () => {
    when({ shortName: 'BOT4' }).thenRefuses('BOT_SHORT_NAME_TAKEN');
    when({ shortName: ' ' }).thenRefuses('BOT_SHORT_NAME_INVALID');
    when({ shortName: 'a@b' }).thenRefuses('BOT_SHORT_NAME_INVALID');
    when({ fullName: 'BOT 4' }).thenRefuses('BOT_NAME_TAKEN');
    when({ fullName: '' }).thenRefuses('NAME_EMPTY');
    when({ fullName: 'user 3' }, { uniqueNames: true, secrets: SECRETS }).thenRefuses('NAME_TAKEN');
    given(users, [...history, gone(4)])
      .when(decideCreateBot, command({ fullName: 'Bot 4' }), facts)
      .then([botCreated(5, 2, { email: 'echo-bot@example.com', fullName: 'Bot 4', keyHash: 'new key' })]);
    given(users, [...history, gone(4)])
      .when(decideCreateBot, command({ shortName: 'bot4' }), facts)
      .thenRefuses('BOT_SHORT_NAME_TAKEN');
  });
});

describe('the webhook of a bot', () => {
  const called = [
    ...history,
    botCreated(5, 2, { botType: 3 }),
    webhookSet(5, { keyId: 'old', webhook: { url: 'https://example.com/a', token: 'first' } }),
  ];
  const when = (webhook: NonNullable<BotChanges['webhook']>, botId = 5, before: UserEvent[] = called) =>
    given(users, before).when(decideUpdateBot, new UpdateBot({ botId, changes: { webhook }, by }), {
      keeper: itsOwner,
      uniqueNames: false,
      secrets: SECRETS,
    });
  const replaced = (changes: Partial<BotWebhookReplaced['data']>): BotWebhookReplaced => ({
    type: 'BotWebhookReplaced',
    data: {
      userId: 5,
      interface: 1,
      keyId: 'key',
      previousKeyId: 'old',
      webhook: { url: 'https://example.com/a', token: 'first' },
      ...changes,
    },
  });

  it('changes, and the token stays', () => {
    when({ url: 'https://example.com/b' }).then([
      replaced({ webhook: { url: 'https://example.com/b', token: 'first' } }),
    ]);
    when({ interface: 2 }).then([replaced({ interface: 2 })]);
    when({ url: 'https://example.com/a', interface: 1 }).thenNothing();
  });

  it('must be a URL, and of an outgoing webhook bot', () => {
    when({ url: 'mailto:me@example.com' }).thenRefuses('NOT_A_URL', { parameter: 'service_payload_url' });
    when({ interface: 0 }).thenRefuses('WEBHOOK_INTERFACE_INVALID');
    when({ url: 'https://example.com/b' }, 4).thenRefuses('BOT_HAS_NO_WEBHOOK');
  });

  it('has a new token once its key is gone', () => {
    const gone = [...called, webhookSet(5, { keyId: 'old', webhook: null })];
    when({ url: 'https://example.com/b' }, 5, gone).then([
      replaced({ webhook: { url: 'https://example.com/b', token: 'token' } }),
    ]);
    when({ interface: 2 }, 5, gone).thenRefuses('NOT_A_URL', { parameter: 'service_payload_url' });
  });
});

describe('the management of a bot', () => {
  const update = new UpdateBot({ botId: 4, changes: { fullName: 'New' }, by });
  const renamed: UserEvent = { type: 'UserRenamed', data: { userId: 4, from: 'Bot 4', to: 'New' } };

  it('is allowed to its owner and to administrators', () => {
    for (const one of [itsOwner, administrator, owner, keeper(null, { isAdministrator: true, isOwner: true })])
      given(users, history)
        .when(decideUpdateBot, update, { keeper: one, uniqueNames: false, secrets: SECRETS })
        .then([renamed]);
    given(users, history)
      .when(decideUpdateBot, update, { keeper: stranger, uniqueNames: false, secrets: SECRETS })
      .thenRefuses('NOT_AUTHORIZED');
  });

  it('is reserved to owners of the organization if the bot has a permission granted beside its role', () => {
    const special = [...history, privileged];
    given(users, special)
      .when(decideUpdateBot, update, { keeper: administrator, uniqueNames: false, secrets: SECRETS })
      .thenRefuses('OWNER_REQUIRED');
    given(users, special)
      .when(decideDeactivateBot, new DeactivateBot({ botId: 4, by }), itsOwner)
      .thenRefuses('OWNER_REQUIRED');
    given(users, special)
      .when(decideRegenerateBotApiKey, new RegenerateBotApiKey({ botId: 4, by }), { keeper: itsOwner, keyHash: 'k' })
      .thenRefuses('OWNER_REQUIRED');
    given(users, special)
      .when(decideUpdateBot, update, { keeper: owner, uniqueNames: false, secrets: SECRETS })
      .then([renamed]);
    const revoked: UserEvent = { type: 'PermissionRevoked', data: { userId: 4, permission: 'can_create_users' } };
    given(users, [...special, revoked])
      .when(decideUpdateBot, update, { keeper: itsOwner, uniqueNames: false, secrets: SECRETS })
      .then([renamed]);
  });

  it('is reserved to owners of the organization if the bot is an owner, because its key may do the same', () => {
    const enthroned = [...history, role(4, ROLES.owner)];
    for (const one of [itsOwner, administrator]) {
      given(users, enthroned)
        .when(decideRegenerateBotApiKey, new RegenerateBotApiKey({ botId: 4, by }), { keeper: one, keyHash: 'k' })
        .thenRefuses('OWNER_REQUIRED');
      given(users, enthroned)
        .when(decideUpdateBot, new UpdateBot({ botId: 4, changes: { ownerId: 3 }, by }), {
          keeper: one,
          uniqueNames: false,
          secrets: SECRETS,
        })
        .thenRefuses('OWNER_REQUIRED');
      given(users, enthroned)
        .when(decideDeactivateBot, new DeactivateBot({ botId: 4, by }), one)
        .thenRefuses('OWNER_REQUIRED');
    }
    given(users, enthroned)
      .when(decideUpdateBot, update, { keeper: owner, uniqueNames: false, secrets: SECRETS })
      .then([renamed]);
  });

  it('is refused for accounts that are not bots', () => {
    for (const id of [3, 99]) {
      const none = new UpdateBot({ botId: id, changes: {}, by });
      given(users, history)
        .when(decideUpdateBot, none, { keeper: owner, uniqueNames: false, secrets: SECRETS })
        .thenRefuses('BOT_NOT_FOUND');
      given(users, history)
        .when(decideDeactivateBot, new DeactivateBot({ botId: id, by }), owner)
        .thenRefuses('BOT_NOT_FOUND');
    }
  });
});

describe('changing a bot', () => {
  const when = (changes: BotChanges, one = itsOwner, more: UserEvent[] = []) =>
    given(users, [...history, ...more]).when(decideUpdateBot, new UpdateBot({ botId: 4, changes, by }), {
      keeper: one,
      uniqueNames: false,
      secrets: SECRETS,
    });

  it('appends one event for each change, and none without a change', () => {
    when({ fullName: 'New', role: ROLES.moderator, ownerId: 3 }, owner).then([
      { type: 'UserRenamed', data: { userId: 4, from: 'Bot 4', to: 'New' } },
      { type: 'UserRoleChanged', data: { userId: 4, from: 400, to: 300 } },
      { type: 'BotOwnerChanged', data: { userId: 4, from: 2, to: 3 } },
    ]);
    when({ fullName: 'Bot 4', role: ROLES.member, ownerId: 2 }).thenNothing();
    when({}).thenNothing();
  });

  it('allows roles to administrators only, and the owner role to owners only', () => {
    when({ role: ROLES.moderator }).thenRefuses('ADMINISTRATOR_REQUIRED');
    when({ role: ROLES.owner }, administrator).thenRefuses('OWNER_REQUIRED');
  });

  it('refuses unknown users, bots and deactivated users as owners', () => {
    when({ ownerId: 99 }).thenRefuses('BOT_OWNER_UNKNOWN');
    when({ ownerId: 4 }).thenRefuses('BOT_OWNER_IS_BOT');
    when({ ownerId: 3 }, itsOwner, [gone(3)]).thenRefuses('BOT_OWNER_DEACTIVATED');
  });

  it('refuses deactivated bots', () => {
    when({ fullName: 'New' }, itsOwner, [gone(4)]).thenRefuses('BOT_NOT_FOUND');
  });
});

describe('deactivating a bot, and regenerating keys', () => {
  it('are allowed to the owner of the bot', () => {
    given(users, history)
      .when(decideDeactivateBot, new DeactivateBot({ botId: 4, by }), itsOwner)
      .then([gone(4)]);
    given(users, history)
      .when(decideDeactivateBot, new DeactivateBot({ botId: 4, by }), stranger)
      .thenRefuses('NOT_AUTHORIZED');
    given(users, [...history, gone(4)])
      .when(decideDeactivateBot, new DeactivateBot({ botId: 4, by }), itsOwner)
      .thenNothing();
    const regenerate = new RegenerateBotApiKey({ botId: 4, by });
    given(users, history)
      .when(decideRegenerateBotApiKey, regenerate, { keeper: itsOwner, keyHash: 'k' })
      .then([{ type: 'ApiKeysRegenerated', data: { userId: 4, keyHash: 'k' } }]);
    given(users, history)
      .when(decideRegenerateBotApiKey, regenerate, { keeper: stranger, keyHash: 'k' })
      .thenRefuses('NOT_AUTHORIZED');
    given(users, [...history, gone(4)])
      .when(decideRegenerateBotApiKey, regenerate, { keeper: itsOwner, keyHash: 'k' })
      .thenRefuses('BOT_NOT_FOUND');
  });

  it('of a person are regenerated by that person only', () => {
    const regenerate = (userId: number) => new RegenerateApiKey({ userId, by });
    given<UsersState, UserEvent | AccountLinkEvent>(users, history)
      .when(decideRegenerateApiKey, regenerate(2), { keyHash: 'k' })
      .then([{ type: 'ApiKeysRegenerated', data: { userId: 2, keyHash: 'k' } }]);
    given<UsersState, UserEvent | AccountLinkEvent>(users, history)
      .when(decideRegenerateApiKey, regenerate(4), { keyHash: 'k' })
      .thenRefuses('BOTS_NOT_ALLOWED');
    given<UsersState, UserEvent | AccountLinkEvent>(users, history)
      .when(decideRegenerateApiKey, regenerate(9), { keyHash: 'k' })
      .thenRefuses('USER_NOT_FOUND');
    given<UsersState, UserEvent | AccountLinkEvent>(users, [...history, gone(2)])
      .when(decideRegenerateApiKey, regenerate(2), { keyHash: 'k' })
      .thenRefuses('USER_DEACTIVATED');
  });
});

describe('reactivating', () => {
  const may = { mayCreateBots: true, mayCreateWriteOnlyBots: false };
  const back = (userId: number): UserEvent => ({ type: 'UserReactivated', data: { userId } });
  const when = (userId: number, one: BotKeeper, more: UserEvent[], facts = may) =>
    given(users, [...history, ...more]).when(decideReactivateUser, new ReactivateUser({ userId, by }), {
      keeper: one,
      ...facts,
    });

  it('is allowed to administrators, and does nothing for active accounts', () => {
    when(2, administrator, [gone(2)]).then([back(2)]);
    when(2, stranger, [gone(2)]).thenRefuses('ADMINISTRATOR_REQUIRED');
    when(99, stranger, []).thenRefuses('ADMINISTRATOR_REQUIRED');
    when(99, administrator, []).thenRefuses('USER_NOT_FOUND');
    when(2, administrator, []).thenNothing();
  });

  it('of a bot is also allowed to its owner, by the rules for creating it', () => {
    when(4, itsOwner, [gone(4)]).then([back(4)]);
    when(4, stranger, [gone(4)]).thenRefuses('ADMINISTRATOR_REQUIRED');
    when(4, itsOwner, [gone(4)], { ...may, mayCreateBots: false }).thenRefuses('NOT_AUTHORIZED');
    when(4, itsOwner, [gone(4), botCreated(5, 3, { fullName: 'bot 4' })]).thenRefuses('BOT_NAME_TAKEN');
  });

  it('is refused if the caller could not give the role of the account', () => {
    for (const id of [2, 4]) when(id, administrator, [role(id, ROLES.owner), gone(id)]).thenRefuses('OWNER_REQUIRED');
    when(2, owner, [role(2, ROLES.owner), gone(2)]).then([back(2)]);
    const administers = [role(4, ROLES.administrator), gone(4)];
    when(4, itsOwner, administers).thenRefuses('ADMINISTRATOR_REQUIRED');
    when(4, administrator, administers).then([back(4)]);
  });

  it('makes a caller who is a person the owner of a bot whose owner is deactivated', () => {
    when(4, administrator, [gone(2), gone(4)]).then([
      back(4),
      { type: 'BotOwnerChanged', data: { userId: 4, from: 2, to: 3 } },
    ]);
    when(4, keeper(null, { isAdministrator: true }), [gone(2), gone(4)]).then([back(4)]);
    const robot = keeper(5, { isAdministrator: true });
    when(4, robot, [gone(2), gone(4), botCreated(5, 3)]).then([back(4)]);
  });
});
