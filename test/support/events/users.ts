import { ROLES } from '../../../src/events/shared/role.js';
import type { BotWebhookSet } from '../../../src/events/users/bot-webhooks.events.js';
import type { BotCreated, UserCreated } from '../../../src/events/users/users.events.js';

/** Creation of a member, `user<id>@example.com`. */
export const userCreated = (userId: number, changes: Partial<UserCreated['data']> = {}): UserCreated => ({
  type: 'UserCreated',
  data: {
    userId,
    email: `user${userId}@example.com`,
    fullName: `User ${userId}`,
    role: ROLES.member,
    passwordHash: 'hash',
    channelIds: [],
    ...changes,
  },
});

/** Creation of a generic bot, `bot<id>-bot@example.com`. */
export const botCreated = (userId: number, ownerId: number, changes: Partial<BotCreated['data']> = {}): BotCreated => ({
  type: 'BotCreated',
  data: {
    userId,
    email: `bot${userId}-bot@example.com`,
    fullName: `Bot ${userId}`,
    role: ROLES.member,
    botType: 1,
    ownerId,
    keyHash: 'key',
    ...changes,
  },
});

export const webhookSet = (userId: number, changes: Partial<BotWebhookSet['data']> = {}): BotWebhookSet => ({
  type: 'BotWebhookSet',
  data: {
    userId,
    interface: 1,
    keyId: `webhook ${userId}`,
    webhook: { url: 'https://example.com/hook', token: 'a token' },
    ...changes,
  },
});
