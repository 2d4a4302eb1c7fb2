import type { Feature } from '../feature.js';
import { deviceWithdrawals } from './consequences/device-withdrawal.js';
import { pushRefusals } from './push.refusals.js';
import { pushFollower } from './reactors/push-follower.js';

export const pushFeature = {
  name: 'push',
  refusals: pushRefusals,
  consequences: deviceWithdrawals,
  followers: [pushFollower],
  api: () => import('./push.api.js'),
} as const satisfies Feature;
