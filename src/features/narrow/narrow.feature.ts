import type { Feature } from '../feature.js';
import { narrowRefusals } from './narrow.refusals.js';

export const narrowFeature = { name: 'narrow', refusals: narrowRefusals } as const satisfies Feature;
