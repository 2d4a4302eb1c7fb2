import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import type { PushSender } from '../../platform/push/push-sender.js';
import type { Feature } from '../feature.js';
import { deviceWithdrawals } from './consequences/device-withdrawal.js';
import { pushRefusals } from './push.refusals.js';
import { pushSettings } from './push.settings.js';
import { PUSHES } from './reactors/push-tasks.js';

declare module '../feature.js' {
  interface FollowerServices {
    /** null: nothing is pushed. */
    readonly pushSender: PushSender | null;
  }
}

export const pushFeature = {
  name: 'push',
  refusals: pushRefusals,
  settings: pushSettings,
  consequences: deviceWithdrawals,
  followers: [
    {
      database: PUSHES.database,
      reads: [directoryProjection, ...PUSHES.reads],
      // The pusher's code is loaded only if a service is configured.
      open: async ({ pushSender: sender, ...parts }) =>
        sender && (await import('./reactors/pusher.js')).openPusher({ ...parts, sender }),
    },
  ],
  describes: () => import('./http/push.descriptions.js'),
  api: [
    () => import('./commands/push.handlers.js'),
    () => import('./commands/test-notification.handlers.js'),
    () => import('./http/push.controller.js'),
    () => import('./queries/own-devices.queries.js'),
  ],
} as const satisfies Feature;
