import type { Feature } from '../feature.js';
import { savedSnippetRefusals } from './saved-snippets.refusals.js';

export const savedSnippetsFeature = {
  name: 'saved-snippets',
  refusals: savedSnippetRefusals,
  describes: () => import('./http/saved-snippets.descriptions.js'),
  api: [
    () => import('./commands/saved-snippets.handlers.js'),
    () => import('./http/saved-snippets.controller.js'),
    () => import('./queries/saved-snippets.queries.js'),
  ],
} as const satisfies Feature;
