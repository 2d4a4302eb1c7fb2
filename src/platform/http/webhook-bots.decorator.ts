import { SetMetadata } from '@nestjs/common';
import { RouteMark } from './route-mark.js';

/** `too`: besides all others. `alone`: nobody else, and the API key is the parameter `api_key` in the query. */
export type WebhookBots = 'too' | 'alone';

const WEBHOOK_BOTS = 'http:webhook-bots';

/** Marks a route that bots which are incoming webhooks may call. Their keys are in URLs, so they open nothing else. */
export const ForWebhookBots = (who: WebhookBots): MethodDecorator => SetMetadata(WEBHOOK_BOTS, who);

export const webhookBots = new RouteMark<WebhookBots>(WEBHOOK_BOTS);
