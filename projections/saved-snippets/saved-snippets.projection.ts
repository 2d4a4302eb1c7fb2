import type { SavedSnippetEvent, SnippetText } from '../../src/events/saved-snippets/saved-snippets.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { type Change, insert, type OwnDocuments, projection } from '../../src/platform/read-models/projection.js';

/** A snippet as it is now. */
export interface SavedSnippetDocument extends SnippetText, StoredDocument {
  readonly _id: string;
  readonly userId: number;
  readonly snippetId: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly position: Position;
}

/** Written last. If it is read after a user's snippets, its position is that of the snippets. */
export interface SnippetsOwnerDocument extends StoredDocument {
  /** The user's id. */
  readonly _id: number;
  /** Position of the last change of one of the user's snippets. */
  readonly position: Position;
}

export const SAVED_SNIPPETS = 'snippets';
export const OWNERS = 'owners';

export const snippetDocumentId = (userId: number, snippetId: number): string => `${userId}/${snippetId}`;

/** Texts that users keep for later messages. A snippet whose key is destroyed is left out. */
export const savedSnippets = projection<SavedSnippetEvent>({
  name: 'saved-snippets',
  version: 1,
  holdsContent: true,
  collections: { [SAVED_SNIPPETS]: { indexes: [{ keys: { userId: 1, snippetId: 1 } }] }, [OWNERS]: {} },
  on: {
    SavedSnippetCreated: (event, documents) => {
      const { userId, snippetId, text } = event.data;
      const { position } = event;
      if (text === null) return changed(event, [], documents);
      const _id = snippetDocumentId(userId, snippetId);
      const document = { _id, userId, snippetId, ...text, createdAt: event.metadata.at, position };
      return changed(event, [insert(SAVED_SNIPPETS, document)], documents);
    },
    SavedSnippetEdited: async (event, documents) => {
      const { userId, snippetId, text } = event.data;
      const snippets = documents.collection<SavedSnippetDocument>(SAVED_SNIPPETS);
      const snippet = await snippets.findOne({ _id: snippetDocumentId(userId, snippetId) });
      const { position } = event;
      if (!snippet) return changed(event, [], documents);
      const document: SavedSnippetDocument = { ...snippet, ...text, position };
      return changed(event, [insert(SAVED_SNIPPETS, document)], documents);
    },
    SavedSnippetDeleted: (event, documents) => {
      const _id = snippetDocumentId(event.data.userId, event.data.snippetId);
      return changed(event, [{ collection: SAVED_SNIPPETS, operation: { deleteOne: { filter: { _id } } } }], documents);
    },
  },
});

/** An event that was applied before changes nothing. */
async function changed(
  { data: { userId }, position }: Recorded<SavedSnippetEvent>,
  changes: readonly Change[],
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const owner = await documents.collection<SnippetsOwnerDocument>(OWNERS).findOne({ _id: userId });
  if ((owner?.position ?? START) >= position) return [];
  const now: SnippetsOwnerDocument = { _id: userId, position };
  return [...changes, insert(OWNERS, now)];
}
