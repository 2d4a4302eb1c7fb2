import type { Feature } from '../feature.js';
import { leftBehind } from './consequences/left-behind.js';
import { mutedSender } from './consequences/muted-sender.js';
import { readStateRefusals } from './read-state.refusals.js';

export const readStateFeature = {
  name: 'read-state',
  refusals: readStateRefusals,
  consequences: [leftBehind, mutedSender],
  api: () => import('./read-state.api.js'),
} as const satisfies Feature;
