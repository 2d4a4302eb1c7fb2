import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import type { FeatureFollower } from '../../feature.js';
import { JUDGED_BY, PUSHER_DATABASE } from './push-tasks.js';

/** The pusher. Its code is loaded only if a service is configured. */
export const pushFollower: FeatureFollower = {
  database: PUSHER_DATABASE,
  reads: [directoryProjection, ...JUDGED_BY],
  open: async ({ pushSender, ...parts }) => {
    if (pushSender === null) return null;
    const { Pusher } = await import('./pusher.js');
    const log = new Logger('Push');
    return new Pusher({ ...parts, sender: pushSender, warn: (line) => log.warn(line) });
  },
};
