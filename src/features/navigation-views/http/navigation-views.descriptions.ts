import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

const PINNED = 'Whether clients show the view always, not only when its list is unfolded';
const NAME =
  'What clients call the view, up to 100 characters, other than those of the own other views. Views that all clients have (`inbox`, `recent`, `drafts` …) have none, all others need one';
const PATH = 'The fragment of the view, with `%2F` or `/` between its parts';

export const descriptions: Descriptions = {
  'GET /navigation_views': {
    summary: 'List the views that the caller has set for the navigation of clients.',
    text: 'A view is named by the fragment of its URL: `narrow/is/starred`.',
  },
  'POST /navigation_views': {
    summary: 'Set a view for the navigation of all own clients.',
    text: 'A view whose fragment or name is there already is refused. An account has up to 200.',
    parameters: {
      fragment: 'The fragment of the URL of the view, without `#`, up to 1,000 characters: `narrow/is/starred`',
      is_pinned: PINNED,
      name: NAME,
    },
  },
  'PATCH /navigation_views/{path}': {
    summary: 'Change name or pin of an own view.',
    parameters: { path: PATH, is_pinned: PINNED, name: NAME },
  },
  'DELETE /navigation_views/{path}': { summary: 'Remove an own view from the navigation.', parameters: { path: PATH } },
};
