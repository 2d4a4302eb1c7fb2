import type { Feature } from '../feature.js';
import { deviceWithdrawals } from './consequences/device-withdrawal.js';
import { pushRefusals } from './push.refusals.js';
import { pushSettings } from './push.settings.js';
import { pushFollower } from './reactors/push-follower.js';

export const pushFeature = {
  name: 'push',
  refusals: pushRefusals,
  settings: pushSettings,
  consequences: deviceWithdrawals,
  followers: [pushFollower],
  describes: () => import('./http/push.descriptions.js'),
  api: [
    () => import('./commands/push-facts.js'),
    () => import('./commands/push.handlers.js'),
    () => import('./commands/test-notification.handlers.js'),
    () => import('./http/push.controller.js'),
    () => import('./http/own-devices.controller.js'),
    () => import('./queries/devices-of.js'),
    () => import('./queries/get-own-devices.handler.js'),
  ],
} as const satisfies Feature;
