import type { DraftEvent } from '../../src/events/drafts/drafts.events.js';
import type { EventHandlers } from '../../src/platform/read-models/projection.js';
import { clientEvent, staticClientEvent } from './client-event.js';
import { written } from './written.js';

/** Ids of drafts. Their content is filled in when the client event is sent. */
interface DraftsPayload {
  readonly userId: number;
  readonly draftIds: readonly number[];
}

export const draftsAdd = clientEvent<DraftsPayload>()({ kind: 'drafts/add', rank: 1024, part: 'drafts' });

export const draftsUpdate = clientEvent<DraftsPayload>()({ kind: 'drafts/update', rank: 1024, part: 'drafts' });

export const draftsRemove = staticClientEvent<{ readonly draft_id: number }>()({
  kind: 'drafts/remove',
  rank: 1024,
  part: 'drafts',
});

/** Tells only the user's own clients. */
export const draftRules: EventHandlers<DraftEvent> = {
  DraftCreated: (event, documents) => {
    const { userId, createdIds } = event.data;
    // Drafts created together are in one client event.
    const entries = createdIds ? [draftsAdd.of(event, { userIds: [userId] }, { userId, draftIds: createdIds })] : [];
    return written(event, documents, entries);
  },
  DraftEdited: (event, documents) => {
    const { userId, draftId } = event.data;
    return written(event, documents, [draftsUpdate.of(event, { userIds: [userId] }, { userId, draftIds: [draftId] })]);
  },
  DraftDeleted: (event, documents) => {
    const { userId, draftId: draft_id, isWithdrawn } = event.data;
    const entries = isWithdrawn ? [] : [draftsRemove.of(event, { userIds: [userId] }, { draft_id })];
    return written(event, documents, entries);
  },
};
