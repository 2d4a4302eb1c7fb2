import type { DraftEvent } from '../../src/events/drafts/drafts.events.js';
import { clientEvent, staticClientEvent } from './client-event.js';
import { toldToOwner } from './written.js';

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

export const draftRules = toldToOwner<DraftEvent>({
  DraftCreated: (event, own) => {
    const { userId, createdIds } = event.data;
    // Drafts created together are in one client event.
    return createdIds ? [draftsAdd.of(event, own, { userId, draftIds: createdIds })] : [];
  },
  DraftEdited: (event, own) => {
    const { userId, draftId } = event.data;
    return [draftsUpdate.of(event, own, { userId, draftIds: [draftId] })];
  },
  DraftDeleted: (event, own) => {
    const { draftId: draft_id, isWithdrawn } = event.data;
    return isWithdrawn ? [] : [draftsRemove.of(event, own, { draft_id })];
  },
});
