import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import type { OutgoingRequests } from '../../platform/outgoing/outgoing-requests.js';
import type { Feature } from '../feature.js';
import { CALLS } from './reactors/webhook-tasks.js';

declare module '../feature.js' {
  interface FollowerServices {
    /** Requests to hosts that users name. */
    readonly outgoing: OutgoingRequests;
  }
}

/** Bots that are called over HTTP when somebody writes to them. Accounts and URLs of bots belong to the feature of users. */
export const outgoingWebhooksFeature = {
  name: 'outgoing-webhooks',
  followers: [
    {
      database: CALLS.database,
      reads: [directoryProjection, ...CALLS.reads],
      open: async (parts) => (await import('./reactors/webhook-caller.js')).openWebhookCaller(parts),
    },
  ],
} as const satisfies Feature;
