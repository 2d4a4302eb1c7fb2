import type { Feature } from '../feature.js';
import { typingRefusals } from './typing.refusals.js';

export const typingFeature = {
  name: 'typing',
  refusals: typingRefusals,
  api: () => import('./typing.api.js'),
} as const satisfies Feature;
