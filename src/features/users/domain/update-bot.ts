import type { Role } from '../../../events/shared/role.js';
import type { BotWebhookReplaced } from '../../../events/users/bot-webhooks.events.js';
import type { BotOwnerChanged, UserRenamed, UserRoleChanged } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { activeBotKeptBy, type BotKeeper } from './bot-access.js';
import { type WebhookChanges, type WebhookSecrets, webhookChanged } from './bot-webhook.js';
import { renamed, roleChanged } from './update-user.js';
import type { UserState, UsersState } from './users.state.js';

export interface BotChanges {
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  readonly ownerId?: number | undefined;
  readonly webhook?: WebhookChanges | undefined;
}

export class UpdateBot extends Command<{ botId: number; changes: BotChanges }> {}

export interface UpdateBotFacts {
  readonly keeper: BotKeeper;
  readonly uniqueNames: boolean;
  readonly secrets: WebhookSecrets;
}

type BotUpdated = UserRenamed | UserRoleChanged | BotOwnerChanged | BotWebhookReplaced;

/** Makes all changes, or none. */
export const decideUpdateBot: Decide<UpdateBot, UsersState, BotUpdated, UpdateBotFacts> = (
  { botId, changes },
  state,
  { keeper, uniqueNames, secrets },
) => {
  const bot = activeBotKeptBy(keeper, botId, state);
  if (changes.role !== undefined && changes.role !== bot.role && !keeper.isAdministrator)
    refuse('ADMINISTRATOR_REQUIRED');
  return [
    ...renamed(botId, bot, changes.fullName, state, uniqueNames),
    ...roleChanged(botId, bot, changes.role, state, keeper.isOwner),
    ...ownerChanged(botId, bot, changes.ownerId, state),
    ...webhookChanged(botId, bot, changes.webhook ?? {}, secrets),
  ];
};

function ownerChanged(
  userId: number,
  { bot }: UserState,
  ownerId: number | undefined,
  state: UsersState,
): BotOwnerChanged[] {
  if (ownerId === undefined || !bot || ownerId === bot.ownerId) return [];
  const owner = state.byId.get(ownerId) ?? refuse('BOT_OWNER_UNKNOWN');
  if (owner.status === 'deactivated') refuse('BOT_OWNER_DEACTIVATED');
  if (owner.bot) refuse('BOT_OWNER_IS_BOT');
  return [{ type: 'BotOwnerChanged', data: { userId, from: bot.ownerId, to: ownerId } }];
}
