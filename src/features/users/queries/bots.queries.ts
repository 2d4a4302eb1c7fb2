import type { BotFacts } from '../../../../projections/client-events/users.js';
import { avatarOf } from '../../../directory/avatars.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord, WebhookRecord } from '../../../directory/directory.records.js';
import { requireMember } from '../../../directory/permissions.js';
import { isSystemBot, systemBots } from '../../../directory/system-bots.js';
import { BOT_TYPES, type BotType } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { type UserForClients, type UserRecordOptions, userForClients } from './users-for-clients.js';

/** An account as clients get it, system bots included. */
export function accountForClients(user: UserRecord, options: UserRecordOptions): UserForClients {
  const told = userForClients(user, options);
  return isSystemBot(user) ? { ...told, bot_owner_id: null } : told;
}

/** `cross_realm_bots`. */
export const systemBotsForClients = (directory: Directory, clientGravatar: boolean): readonly object[] =>
  systemBots(directory).map((bot) => ({
    ...accountForClients(bot, { clientGravatar, customProfileFields: false }),
    is_system_bot: true,
  }));

/** The outgoing webhook of a bot. */
interface ServiceForClients {
  readonly base_url: string;
  readonly interface: number;
  readonly token: string;
}

/** A bot as its keepers' clients get it: `Bot` in the published description. */
interface BotForClients {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  readonly bot_type: BotType | null;
  readonly is_active: boolean;
  /** Empty: only the key's hash is stored. Strict clients refuse a bot without the field. */
  readonly api_key: '';
  readonly default_sending_stream: null;
  readonly default_events_register_stream: null;
  readonly default_all_public_streams: false;
  readonly avatar_url: string;
  readonly services: readonly ServiceForClients[];
  readonly owner_id: number | null;
}

export const botForClients = ({ _id, email, fullName, bot, isActive, avatar }: BotFacts): BotForClients => ({
  user_id: _id,
  email,
  full_name: fullName,
  bot_type: bot?.type ?? null,
  is_active: isActive,
  api_key: '',
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  avatar_url: avatarOf({ _id, email, ...(avatar && { avatar }) }).url,
  services: servicesOf(bot?.webhook),
  owner_id: bot?.ownerId ?? null,
});

export const servicesOf = (webhook: WebhookRecord | null | undefined): readonly ServiceForClients[] =>
  webhook ? [{ base_url: webhook.url, interface: webhook.interface, token: webhook.token }] : [];

/** The webhook that an event leaves to be filled in. @throws UnavailableError if this process does not know it yet (D8) */
export function knownWebhook(bot: Pick<UserRecord, 'bot'> | undefined): WebhookRecord | null {
  const webhook = bot?.bot?.webhook;
  if (bot === undefined || (bot.bot?.type === BOT_TYPES.outgoingWebhook && webhook === undefined))
    throw new UnavailableError('the webhook of a bot is not known yet');
  return webhook ?? null;
}

/** The changeable fields of a bot. */
export interface BotSettings {
  readonly full_name: string;
  readonly avatar_url: string;
  readonly default_sending_stream: null;
  readonly default_events_register_stream: null;
  readonly default_all_public_streams: false;
}

export interface OwnBot extends BotSettings {
  readonly user_id: number;
  /** The bot's address. */
  readonly username: string;
  readonly api_key: string;
}

export class GetBotSettings extends Query<{ botId: number }, BotSettings> {}

/** A user's active bots. */
export class GetOwnBots extends Query<{ owner: UserRecord }, readonly OwnBot[]> {}

function settingsOf(bot: UserRecord): BotSettings {
  const told = botForClients(bot);
  return {
    full_name: told.full_name,
    avatar_url: told.avatar_url,
    default_sending_stream: told.default_sending_stream,
    default_events_register_stream: told.default_events_register_stream,
    default_all_public_streams: told.default_all_public_streams,
  };
}

export const botQueries = [
  answersFrom(GetBotSettings, Directory, ({ botId }, directory) =>
    settingsOf(directory.user(botId) ?? refuse('BOT_NOT_FOUND')),
  ),
  answersFrom(GetOwnBots, Directory, ({ owner }, directory) => {
    requireMember(owner);
    const own = directory.allUsers().filter(({ bot, isActive }) => isActive && bot?.ownerId === owner._id);
    return own.map((bot) => {
      const { user_id, email: username, api_key } = botForClients(bot);
      return { user_id, username, api_key, ...settingsOf(bot) };
    });
  }),
];
