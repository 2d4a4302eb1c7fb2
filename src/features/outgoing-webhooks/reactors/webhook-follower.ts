import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import type { FeatureFollower } from '../../feature.js';
import { CALLS_READ, WEBHOOKS_DATABASE } from './webhook-tasks.js';

/** Calls outgoing webhook bots. */
export const webhookFollower: FeatureFollower = {
  database: WEBHOOKS_DATABASE,
  reads: [directoryProjection, ...CALLS_READ],
  open: async (parts) => {
    const { WebhookCaller } = await import('./webhook-caller.js');
    const log = new Logger('Webhooks');
    return new WebhookCaller({ ...parts, warn: (line) => log.warn(line) });
  },
};
