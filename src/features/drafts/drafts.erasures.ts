import { drafts } from '../../../projections/drafts/drafts.projection.js';
import type { DraftDeleted, DraftEdited } from '../../events/drafts/drafts.events.js';
import { erasure } from '../../platform/consumers/erasure.js';

export const draftErasures = [
  erasure<DraftEdited>({ on: 'DraftEdited', keyId: ({ data }) => data.previousKeyId, heldBy: [drafts] }),
  erasure<DraftDeleted>({ on: 'DraftDeleted', keyId: ({ data }) => data.keyId, heldBy: [drafts] }),
];
