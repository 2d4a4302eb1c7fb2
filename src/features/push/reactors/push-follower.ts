import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { personal } from '../../../../projections/personal/personal.projection.js';
import { pushDevices } from '../../../../projections/push-devices/push-devices.projection.js';
import { readState } from '../../../../projections/read-state/read-state.projection.js';
import type { Follower } from '../../../platform/consumers/follower.js';
import { PUSHER_DATABASE } from './push-tasks.js';

/** The pusher. Its code is loaded only if a service is configured. */
export const pushFollower: Follower = {
  database: PUSHER_DATABASE,
  reads: [directoryProjection, messages, personal, pushDevices, readState],
  open: async ({ pushSender, ...parts }) => {
    if (pushSender === null) return null;
    const { Pusher } = await import('./pusher.js');
    const log = new Logger('Push');
    return new Pusher({ ...parts, sender: pushSender, warn: (line) => log.warn(line) });
  },
};
