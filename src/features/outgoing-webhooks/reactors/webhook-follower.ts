import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import type { Follower } from '../../../platform/consumers/follower.js';
import { CALLS_READ, WEBHOOKS_DATABASE } from './webhook-tasks.js';

/** Calls outgoing webhook bots. */
export const webhookFollower: Follower = {
  database: WEBHOOKS_DATABASE,
  reads: [directoryProjection, ...CALLS_READ],
  open: async (parts) => {
    const { WebhookCaller } = await import('./webhook-caller.js');
    const log = new Logger('Webhooks');
    return new WebhookCaller({ ...parts, warn: (line) => log.warn(line) });
  },
};
