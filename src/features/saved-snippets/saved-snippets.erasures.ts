import { savedSnippets } from '../../../projections/saved-snippets/saved-snippets.projection.js';
import type { SavedSnippetDeleted } from '../../events/saved-snippets/saved-snippets.events.js';
import { erasure } from '../../platform/consumers/erasure.js';

export const savedSnippetErasures = [
  erasure<SavedSnippetDeleted>({
    on: 'SavedSnippetDeleted',
    keyId: ({ data }) => data.keyId,
    heldBy: [savedSnippets],
  }),
];
