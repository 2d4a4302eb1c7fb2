import type { Feature } from '../feature.js';
import { typingRefusals } from './typing.refusals.js';

export const typingFeature = {
  name: 'typing',
  refusals: typingRefusals,
  describes: () => import('./http/typing.descriptions.js'),
  api: [() => import('./commands/typing.handlers.js'), () => import('./http/typing.controller.js')],
} as const satisfies Feature;
