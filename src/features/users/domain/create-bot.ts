import { ROLES } from '../../../events/shared/role.js';
import type { BotWebhookSet } from '../../../events/users/bot-webhooks.events.js';
import type { BotCreated } from '../../../events/users/users.events.js';
import { BOT_TYPES, type BotType, WEBHOOK_INTERFACES } from '../../../events/users/users.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { type BotCreation, mayCreateBot } from './bot-access.js';
import { checkedInterface, checkedUrl, type WebhookSecrets } from './bot-webhook.js';
import { checkedName, isAddress, isBotNameTaken, requireUniqueName } from './names.js';
import type { UsersState } from './users.state.js';

/** The server runs no programs of its own, so there are no embedded bots. */
const SUPPORTED: readonly BotType[] = [BOT_TYPES.generic, BOT_TYPES.incomingWebhook, BOT_TYPES.outgoingWebhook];

export interface CreatedBot {
  readonly userId: number;
  readonly apiKey: string;
}

export class CreateBot extends Command<
  {
    bot: {
      readonly fullName: string;
      readonly shortName: string;
      readonly type: number;
      /** Of an outgoing webhook bot. Other bots leave it unused. */
      readonly webhook?: { readonly url: string; readonly interface: number };
    };
  },
  CreatedBot
> {}

export interface CreateBotFacts extends BotCreation {
  /** The caller, who will own the bot. */
  readonly ownerId: number;
  /** SHA-256 of the bot's first key, hexadecimal. */
  readonly keyHash: string;
  readonly uniqueNames: boolean;
  /** Domain of bots' addresses: `realm_bot_domain`. */
  readonly domain: string;
  readonly secrets: WebhookSecrets;
}

export const decideCreateBot: Decide<CreateBot, UsersState, BotCreated | BotWebhookSet, CreateBotFacts> = (
  { bot },
  state,
  facts,
) => {
  // The owner may have been deactivated during the request.
  if (state.byId.get(facts.ownerId)?.status !== 'active') refuse('USER_DEACTIVATED');
  const fullName = checkedName(bot.fullName);
  const shortName = bot.shortName.trim();
  const email = `${shortName}-bot@${facts.domain}`;
  if (shortName === '' || !isAddress(email)) refuse('BOT_SHORT_NAME_INVALID');
  const botType = SUPPORTED.find((type) => type === bot.type) ?? refuse('BOT_TYPE_UNSUPPORTED');
  if (state.idByEmail.has(foldCase(email))) refuse('BOT_SHORT_NAME_TAKEN');
  if (!mayCreateBot(botType, facts)) refuse('NOT_AUTHORIZED');
  if (isBotNameTaken(state, fullName)) refuse('BOT_NAME_TAKEN');
  if (facts.uniqueNames) requireUniqueName(state, fullName);
  const userId = state.lastId + 1;
  return [
    {
      type: 'BotCreated',
      data: { userId, email, fullName, role: ROLES.member, botType, ownerId: facts.ownerId, keyHash: facts.keyHash },
    },
    ...(botType === BOT_TYPES.outgoingWebhook ? [webhookSet(userId, bot.webhook, facts.secrets)] : []),
  ];
};

function webhookSet(
  userId: number,
  { url, interface: form }: NonNullable<CreateBot['bot']['webhook']> = {
    url: '',
    interface: WEBHOOK_INTERFACES.native,
  },
  { keyId, token }: WebhookSecrets,
): BotWebhookSet {
  const webhook = { url: checkedUrl(url, 'payload_url'), token };
  return { type: 'BotWebhookSet', data: { userId, interface: checkedInterface(form), keyId, webhook } };
}
