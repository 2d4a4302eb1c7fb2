import type { Feature } from '../feature.js';
import { savedSnippetErasures } from './saved-snippets.erasures.js';
import { savedSnippetRefusals } from './saved-snippets.refusals.js';

export const savedSnippetsFeature = {
  name: 'saved-snippets',
  refusals: savedSnippetRefusals,
  erasures: savedSnippetErasures,
  api: () => import('./saved-snippets.api.js'),
} as const satisfies Feature;
