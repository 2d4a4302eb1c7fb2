import type { Feature } from '../feature.js';

export const messageFlagsFeature = {
  name: 'message-flags',
  api: [() => import('./services/read-states.js')],
} as const satisfies Feature;
