import {
  type DraftEvent,
  type DraftHead,
  type DraftWords,
  SYNCHRONIZATION,
} from '../../src/events/drafts/drafts.events.js';
import type { UserSettingChanged } from '../../src/events/personal/user-settings.events.js';
import type { Change } from '../../src/platform/read-models/projection.js';
import { type OwnItems, type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { clientEvent, staticClientEvent } from '../client-events/client-event.js';
import { toldToOwner } from '../client-events/written.js';

/** A draft as it is now. */
export interface DraftDocument extends DraftHead, DraftWords, UserItem {
  readonly draftId: number;
}

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

/**
 * Drafts of messages, the last edited first. A draft whose key is destroyed is left out, even if later events edit it. All
 * drafts of a user who turns synchronization off go at once: their `DraftDeleted` may come after it is on again.
 */
export const drafts = userList<DraftEvent | UserSettingChanged, DraftDocument>({
  name: 'drafts',
  version: 2,
  holdsContent: true,
  items: 'drafts',
  indexes: [{ keys: { userId: 1, editedAt: -1, draftId: -1 } }],
  order: { editedAt: -1, draftId: -1 },
  on: {
    DraftCreated: ({ data }, own) => [written(data.draftId, data, data.words, own)],
    DraftEdited: ({ data }, own) => [written(data.draftId, data.to, data.words, own)],
    DraftDeleted: ({ data }, own) => [own.remove(data.draftId)],
    UserSettingChanged: async ({ data: { property, to } }, own) =>
      property === SYNCHRONIZATION && to === false ? (await own.all()).map(({ draftId }) => own.remove(draftId)) : null,
  },
  told: toldToOwner<DraftEvent>({
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
  }),
});

function written(
  draftId: number,
  { recipient, editedAt }: DraftHead,
  words: DraftWords | null,
  own: OwnItems<DraftDocument>,
): Change {
  if (words === null) return own.remove(draftId);
  return own.put(draftId, { draftId, recipient, editedAt, topic: words.topic, text: words.text });
}
