import type { Feature } from '../feature.js';
import { deviceWithdrawals } from './consequences/device-withdrawal.js';
import { pushRefusals } from './push.refusals.js';

export const pushFeature = {
  name: 'push',
  refusals: pushRefusals,
  consequences: deviceWithdrawals,
  api: () => import('./push.api.js'),
} as const satisfies Feature;
