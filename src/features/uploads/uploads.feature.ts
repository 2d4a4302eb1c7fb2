import type { Feature } from '../feature.js';
import { uploadErasures } from './uploads.erasures.js';
import { uploadRefusals } from './uploads.refusals.js';

export const uploadsFeature = {
  name: 'uploads',
  refusals: uploadRefusals,
  erasures: uploadErasures,
  api: () => import('./uploads.api.js'),
} as const satisfies Feature;
