import type { DraftEvent } from '../../src/drafts/domain/drafts.events.js';
import type { EventHandlers } from '../projection.js';
import { entry, told } from './entries.js';
import { written } from './written.js';

const PART = { part: 'drafts' } as const;

/** A user's own clients are told, and nobody else: which drafts; their words are filled in as the event leaves. */
export const draftRules: EventHandlers<DraftEvent> = {
  DraftCreated: (event, documents) => {
    const { userId, createdIds } = event.data;
    // Those that came together are told together.
    const entries = createdIds
      ? [entry(event, 'drafts/add', { userIds: [userId] }, { userId, draftIds: createdIds }, PART)]
      : [];
    return written(event, documents, entries);
  },
  DraftEdited: (event, documents) => {
    const { userId, draftId } = event.data;
    return written(event, documents, [
      entry(event, 'drafts/update', { userIds: [userId] }, { userId, draftIds: [draftId] }, PART),
    ]);
  },
  DraftDeleted: (event, documents) => {
    const { userId, draftId: draft_id, isWithdrawn } = event.data;
    const removal = { ...told(event, 'drafts/remove', { userIds: [userId] }, { draft_id }), ...PART };
    return written(event, documents, isWithdrawn ? [] : [removal]);
  },
};
