import type { StoredDocument } from '../src/document-store/document-store.js';
import type { DraftEvent, DraftHead, DraftWords } from '../src/drafts/domain/drafts.events.js';
import type { Recorded } from '../src/kernel/event.js';
import { type Position, START } from '../src/kernel/position.js';
import { type Change, insert, type OwnDocuments, projection } from './projection.js';

/** A draft as it is now. */
export interface DraftDocument extends DraftHead, DraftWords, StoredDocument {
  readonly _id: string;
  readonly userId: number;
  readonly draftId: number;
  readonly position: Position;
}

/** Written last: whoever reads it after a user's drafts knows as of when those are. */
export interface DraftsOwnerDocument extends StoredDocument {
  /** The user's id. */
  readonly _id: number;
  /** Of what last changed one of their drafts. */
  readonly position: Position;
}

export const DRAFTS = 'drafts';
export const OWNERS = 'owners';

export const draftDocumentId = (userId: number, draftId: number): string => `${userId}/${draftId}`;

/** What people have begun to write. A draft whose key is gone is none, whether or not more is to come of it. */
export const drafts = projection<DraftEvent>({
  name: 'drafts',
  version: 1,
  holdsWords: true,
  collections: {
    [DRAFTS]: { indexes: [{ keys: { userId: 1, editedAt: -1, draftId: -1 } }] },
    [OWNERS]: {},
  },
  on: {
    DraftCreated: (event, documents) => written(event, event.data, event.data.words, documents),
    DraftEdited: (event, documents) => written(event, event.data.to, event.data.words, documents),
    DraftDeleted: (event, documents) => changed(event, [removed(event)], documents),
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
  if (words === null) return changed(event, [removed(event)], documents);
  const { topic, text } = words;
  const document: DraftDocument = { _id, userId, draftId, recipient, editedAt, topic, text, position: event.position };
  return changed(event, [insert(DRAFTS, document)], documents);
}

async function changed(
  { data: { userId }, position }: Recorded<DraftEvent>,
  changes: readonly Change[],
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const owner = await documents.collection<DraftsOwnerDocument>(OWNERS).findOne({ _id: userId });
  if ((owner?.position ?? START) >= position) return [];
  const now: DraftsOwnerDocument = { _id: userId, position };
  return [...changes, insert(OWNERS, now)];
}

const removed = ({ data: { userId, draftId } }: Recorded<DraftEvent>): Change => ({
  collection: DRAFTS,
  operation: { deleteOne: { filter: { _id: draftDocumentId(userId, draftId) } } },
});
