import type { Feature } from '../feature.js';
import { narrowRefusals } from './narrow.refusals.js';

export const narrowFeature = {
  name: 'narrow',
  refusals: narrowRefusals,
  api: () => import('./narrow.api.js'),
} as const satisfies Feature;
