import {
  type DraftEvent,
  type DraftHead,
  type DraftWords,
  SYNCHRONIZATION,
} from '../../src/events/drafts/drafts.events.js';
import type { UserSettingChanged } from '../../src/events/personal/user-settings.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { type Change, insert, type OwnDocuments, projection } from '../../src/platform/read-models/projection.js';

/** A draft as it is now. */
export interface DraftDocument extends DraftHead, DraftWords, StoredDocument {
  readonly _id: string;
  readonly userId: number;
  readonly draftId: number;
  readonly position: Position;
}

/** Written last. If it is read after a user's drafts, its position is that of the drafts. */
export interface DraftsOwnerDocument extends StoredDocument {
  /** The user's id. */
  readonly _id: number;
  /** Position of the last event about the user's drafts. */
  readonly position: Position;
}

export const DRAFTS = 'drafts';
export const OWNERS = 'owners';

export const draftDocumentId = (userId: number, draftId: number): string => `${userId}/${draftId}`;

type DraftsChange = DraftEvent | UserSettingChanged;

/**
 * Drafts of messages. A draft whose key is destroyed is left out, even if later events edit it. All drafts of a user who
 * turns synchronization off go at once: their `DraftDeleted` may come after synchronization is on again.
 */
export const drafts = projection<DraftsChange>({
  name: 'drafts',
  version: 2,
  holdsContent: true,
  collections: {
    [DRAFTS]: { indexes: [{ keys: { userId: 1, editedAt: -1, draftId: -1 } }] },
    [OWNERS]: {},
  },
  on: {
    DraftCreated: (event, documents) => written(event, event.data, event.data.words, documents),
    DraftEdited: (event, documents) => written(event, event.data.to, event.data.words, documents),
    DraftDeleted: (event, documents) => changed(event, [removal(event.data)], documents),
    UserSettingChanged: (event, documents) => {
      const { property, to } = event.data;
      return property === SYNCHRONIZATION && to === false ? allRemoved(event, documents) : [];
    },
  },
});

function written(
  event: Recorded<DraftEvent>,
  { recipient, editedAt }: DraftHead,
  words: DraftWords | null,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const { userId, draftId } = event.data;
  const _id = draftDocumentId(userId, draftId);
  if (words === null) return changed(event, [removal(event.data)], documents);
  const { topic, text } = words;
  const document: DraftDocument = { _id, userId, draftId, recipient, editedAt, topic, text, position: event.position };
  return changed(event, [insert(DRAFTS, document)], documents);
}

async function allRemoved(event: Recorded<UserSettingChanged>, documents: OwnDocuments): Promise<readonly Change[]> {
  const { userId } = event.data;
  const found = await documents.collection<DraftDocument>(DRAFTS).find({ userId });
  return changed(event, found.map(removal), documents);
}

async function changed(
  { data: { userId }, position }: Recorded<DraftsChange>,
  changes: readonly Change[],
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const owner = await documents.collection<DraftsOwnerDocument>(OWNERS).findOne({ _id: userId });
  if ((owner?.position ?? START) >= position) return [];
  const now: DraftsOwnerDocument = { _id: userId, position };
  return [...changes, insert(OWNERS, now)];
}

const removal = ({ userId, draftId }: Pick<DraftDocument, 'userId' | 'draftId'>): Change => ({
  collection: DRAFTS,
  operation: { deleteOne: { filter: { _id: draftDocumentId(userId, draftId) } } },
});
