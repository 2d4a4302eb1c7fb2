import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const savedSnippetRefusals = {
  SNIPPET_NOT_FOUND: { status: 404, code: 'BAD_REQUEST', message: 'Saved snippet does not exist.' },
  SNIPPET_TITLE_EMPTY: badRequest('Title cannot be empty.'),
  SNIPPET_TITLE_TOO_LONG: badRequest('Title is too long (limit: {limit} characters)'),
  SNIPPET_CONTENT_EMPTY: badRequest('Content cannot be empty.'),
  SNIPPET_CONTENT_TOO_LONG: badRequest('Content is too long (limit: {limit} characters)'),
  SNIPPET_HAS_NULL_BYTES: badRequest('Saved snippets must not contain null bytes'),
  SNIPPETS_TOO_LARGE: badRequest('Your saved snippets are too large together (limit: {limit} MiB)'),
  TOO_MANY_SNIPPETS: badRequest('Too many saved snippets (limit: {limit})'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof savedSnippetRefusals> {}
}

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
