import type { Feature } from '../feature.js';
import { webhookFollower } from './reactors/webhook-follower.js';

/** Bots that are called over HTTP when somebody writes to them. Accounts and URLs of bots belong to the feature of users. */
export const outgoingWebhooksFeature = {
  name: 'outgoing-webhooks',
  followers: [webhookFollower],
} as const satisfies Feature;
