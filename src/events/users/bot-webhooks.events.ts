import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';
import type { WebhookInterface } from './users.settings.js';

/** Where an outgoing webhook bot is called. Sealed: URLs of hooks have secrets in them, too. */
export interface BotWebhook {
  readonly url: string;
  /** Shows the called service that a call comes from here. Never changes. */
  readonly token: string;
}

/** The bot is called from now on. It is created in the same append. */
export type BotWebhookSet = DomainEvent<
  'BotWebhookSet',
  {
    readonly userId: number;
    readonly interface: WebhookInterface;
    /** The content key of `webhook`: the event's id. */
    readonly keyId: string;
    /** null once the content key is destroyed. */
    readonly webhook: BotWebhook | null;
  }
>;

/** An outgoing webhook bot is called elsewhere. The key of the previous webhook is destroyed. */
export type BotWebhookReplaced = DomainEvent<
  'BotWebhookReplaced',
  {
    readonly userId: number;
    readonly interface: WebhookInterface;
    readonly keyId: string;
    readonly previousKeyId: string;
    readonly webhook: BotWebhook | null;
  }
>;

export type BotWebhookEvent = BotWebhookSet | BotWebhookReplaced;

export const botWebhookEvents = [
  defineEvent<BotWebhookSet>({
    type: 'BotWebhookSet',
    concerns: concernsUser,
    sealed: { field: 'webhook', under: 'own key', shownTo: 'nobody', secrets: ['token'] },
    keys: { keyId: 'seals' },
  }),
  defineEvent<BotWebhookReplaced>({
    type: 'BotWebhookReplaced',
    concerns: concernsUser,
    sealed: { field: 'webhook', under: 'own key', shownTo: 'nobody', secrets: ['token'] },
    keys: { keyId: 'seals', previousKeyId: 'ends' },
  }),
];
