import type { Feature } from '../feature.js';
import { savedSnippetRefusals } from './saved-snippets.refusals.js';

export const savedSnippetsFeature = {
  name: 'saved-snippets',
  refusals: savedSnippetRefusals,
  api: () => import('./saved-snippets.api.js'),
} as const satisfies Feature;
