import { attachments } from '../../../projections/attachments/attachments.projection.js';
import type { FileDeleted } from '../../events/uploads/uploads.events.js';
import { erasure } from '../../platform/consumers/erasure.js';

export const uploadErasures = [
  erasure<FileDeleted>({
    on: 'FileDeleted',
    keyId: ({ data }) => data.keyId,
    fileId: ({ data }) => data.fileId,
    heldBy: [attachments],
  }),
];
