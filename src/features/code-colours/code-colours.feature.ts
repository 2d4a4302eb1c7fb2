import type { Feature } from '../feature.js';

export const codeColoursFeature = {
  name: 'code-colours',
  api: [() => import('./code-colouring.js')],
} as const satisfies Feature;
