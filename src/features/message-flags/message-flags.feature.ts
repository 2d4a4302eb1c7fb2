import type { Feature } from '../feature.js';

export const messageFlagsFeature = {
  name: 'message-flags',
  api: [() => import('./queries/read-states.js')],
} as const satisfies Feature;
