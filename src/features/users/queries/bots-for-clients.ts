import { avatarOf } from '../../../directory/avatars.js';
import type { UserRecord, WebhookRecord } from '../../../directory/directory.records.js';
import { BOT_TYPES, type BotType } from '../../../events/users/users.settings.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';

/** The outgoing webhook of a bot. */
export interface ServiceForClients {
  readonly base_url: string;
  readonly interface: number;
  readonly token: string;
}

/** A bot as its keepers' clients get it: `Bot` in the published description. */
export interface BotForClients {
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

export type BotFacts = Pick<UserRecord, '_id' | 'email' | 'fullName' | 'bot' | 'isActive' | 'avatar'>;

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
