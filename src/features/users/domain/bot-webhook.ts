import type { BotWebhookReplaced } from '../../../events/users/bot-webhooks.events.js';
import { BOT_TYPES, WEBHOOK_INTERFACES, type WebhookInterface } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { UserState } from './users.state.js';

/** A new key and a new token, in case the decision needs them. */
export interface WebhookSecrets {
  /** Id of the event, and name of its content key. */
  readonly keyId: string;
  readonly token: string;
}

export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly interface?: number | undefined;
}

const MAX_URL = 2000;
const PROTOCOLS = ['http:', 'https:'];

/** @param parameter its name, which the refusal gives */
export function checkedUrl(text: string, parameter: string): string {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !PROTOCOLS.includes(url.protocol)) refuse('NOT_A_URL', { parameter });
  // A password would be shown to all who administer the bot.
  if (url.username !== '' || url.password !== '') refuse('URL_WITH_USER', { parameter });
  return text;
}

export const checkedInterface = (form: number): WebhookInterface =>
  Object.values(WEBHOOK_INTERFACES).find((known) => known === form) ?? refuse('WEBHOOK_INTERFACE_INVALID');

export function webhookChanged(
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
