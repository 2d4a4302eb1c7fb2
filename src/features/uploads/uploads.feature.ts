import type { Feature } from '../feature.js';
import { uploadRefusals } from './uploads.refusals.js';

export const uploadsFeature = {
  name: 'uploads',
  refusals: uploadRefusals,
  api: () => import('./uploads.api.js'),
} as const satisfies Feature;
