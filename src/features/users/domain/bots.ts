import { ROLES, type Role } from '../../../events/shared/role.js';
import type { BotWebhookReplaced, BotWebhookSet } from '../../../events/users/bot-webhooks.events.js';
import type {
  BotCreated,
  BotOwnerChanged,
  UserDeactivated,
  UserRenamed,
  UserRoleChanged,
} from '../../../events/users/users.events.js';
import {
  BOT_TYPES,
  type BotType,
  WEBHOOK_INTERFACES,
  type WebhookInterface,
} from '../../../events/users/users.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { checkedName, isAddress, isBotNameTaken, requireUniqueName } from './names.js';
import { renamed, roleChanged } from './update-user.js';
import type { UserState, UsersState } from './users.state.js';

/** The actor of a command on bots: a person who is not a guest. */
export interface BotKeeper extends Rank {
  /** null: the server itself. */
  readonly id: number | null;
}

export interface Rank {
  readonly isAdministrator: boolean;
  readonly isOwner: boolean;
}

/** The kinds of bots that the actor may create and reactivate. */
export interface BotCreation {
  /** `can_create_bots_group` */
  readonly mayCreateBots: boolean;
  /** `can_create_write_only_bots_group` */
  readonly mayCreateWriteOnlyBots: boolean;
}

const INCOMING_WEBHOOK: BotType = 2;

export const mayCreateBot = (type: BotType, facts: BotCreation): boolean =>
  facts.mayCreateBots || (type === INCOMING_WEBHOOK && facts.mayCreateWriteOnlyBots);

/** Finds a bot that the keeper owns or administers. @throws DomainError for every other account */
function botKeptBy(keeper: BotKeeper, botId: number, state: UsersState): UserState {
  const user = state.byId.get(botId);
  if (!user?.bot) refuse('BOT_NOT_FOUND');
  if (!keeper.isAdministrator && user.bot.ownerId !== keeper.id) refuse('NOT_AUTHORIZED');
  // The keeper of such a bot could give rights that only owners may give.
  if ((user.role === ROLES.owner || user.specialPermissions.length > 0) && !keeper.isOwner) refuse('OWNER_REQUIRED');
  return user;
}

/** Finds an active bot that the keeper owns or administers. @throws DomainError for every other account */
export function activeBotKeptBy(keeper: BotKeeper, botId: number, state: UsersState): UserState {
  const bot = botKeptBy(keeper, botId, state);
  return bot.status === 'active' ? bot : refuse('BOT_NOT_FOUND');
}

/** A new key and a new token, in case the decision needs them. */
export interface WebhookSecrets {
  /** Id of the event, and name of its content key. */
  readonly keyId: string;
  readonly token: string;
}

interface WebhookChanges {
  readonly url?: string | undefined;
  readonly interface?: number | undefined;
}

const MAX_URL = 2000;
const PROTOCOLS = ['http:', 'https:'];

/** @param parameter its name, which the refusal gives */
function checkedUrl(text: string, parameter: string): string {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !PROTOCOLS.includes(url.protocol)) refuse('NOT_A_URL', { parameter });
  // A password would be shown to all who administer the bot.
  if (url.username !== '' || url.password !== '') refuse('URL_WITH_USER', { parameter });
  return text;
}

const checkedInterface = (form: number): WebhookInterface =>
  Object.values(WEBHOOK_INTERFACES).find((known) => known === form) ?? refuse('WEBHOOK_INTERFACE_INVALID');

function webhookChanged(
  userId: number,
  { bot }: UserState,
  { url, interface: form }: WebhookChanges,
  { keyId, token }: WebhookSecrets,
): BotWebhookReplaced[] {
  if (url === undefined && form === undefined) return [];
  const before = bot?.type === BOT_TYPES.outgoingWebhook ? bot.webhook : undefined;
  if (before === undefined) refuse('BOT_HAS_NO_WEBHOOK');
  const to = {
    url:
      url === undefined
        ? (before.to?.url ?? refuse('NOT_A_URL', { parameter: 'service_payload_url' }))
        : checkedUrl(url, 'service_payload_url'),
    token: before.to?.token ?? token,
  };
  const next = form === undefined ? before.interface : checkedInterface(form);
  if (to.url === before.to?.url && next === before.interface) return [];
  return [
    { type: 'BotWebhookReplaced', data: { userId, interface: next, keyId, previousKeyId: before.keyId, webhook: to } },
  ];
}

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

export interface BotChanges {
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  readonly ownerId?: number | undefined;
  readonly webhook?: WebhookChanges | undefined;
}

export class UpdateBot extends Command<{ botId: number; changes: BotChanges }> {}

interface UpdateBotFacts {
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

export class DeactivateBot extends Command<{ botId: number }> {}

export const decideDeactivateBot: Decide<DeactivateBot, UsersState, UserDeactivated, BotKeeper> = (
  { botId },
  state,
  keeper,
) => {
  const bot = botKeptBy(keeper, botId, state);
  if (bot.status === 'deactivated') return [];
  return [{ type: 'UserDeactivated', data: { userId: botId, notice: null } }];
};
