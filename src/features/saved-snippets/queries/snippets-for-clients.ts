import {
  OWNERS,
  SAVED_SNIPPETS,
  type SavedSnippetDocument,
  type SnippetsOwnerDocument,
  savedSnippets,
  snippetDocumentId,
} from '../../../../projections/saved-snippets/saved-snippets.projection.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { readAtOnePosition } from '../../../platform/read-models/read-at-one-position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/** The published fields of a saved snippet. */
export interface SavedSnippetForClients {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  /** Seconds since 1970. */
  readonly date_created: number;
}

/**
 * All of a user's snippets at one position, which is `at` or later, the oldest first.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function snippetsOf(
  userId: number,
  readModels: ReadModels,
  at: Position = START,
): Promise<{ readonly snippets: readonly SavedSnippetForClients[]; readonly position: Position }> {
  const snippets = readModels.collection<SavedSnippetDocument>(savedSnippets, SAVED_SNIPPETS);
  const owners = readModels.collection<SnippetsOwnerDocument>(savedSnippets, OWNERS);
  const { found, position } = await readAtOnePosition(readModels, savedSnippets, at, async () => ({
    found: await snippets.find({ userId }, { sort: { snippetId: 1 } }),
    changedAt: (await owners.findOne({ _id: userId }))?.position ?? START,
  }));
  return { snippets: found.map(snippetForClients), position };
}

/**
 * The existing snippets among the ids, by id.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function snippetsById(
  userId: number,
  snippetIds: readonly number[],
  readModels: ReadModels,
): Promise<ReadonlyMap<number, SavedSnippetForClients>> {
  const _id = { $in: [...new Set(snippetIds)].map((snippetId) => snippetDocumentId(userId, snippetId)) };
  const found = await readModels.collection<SavedSnippetDocument>(savedSnippets, SAVED_SNIPPETS).find({ _id });
  return new Map(found.map((snippet) => [snippet.snippetId, snippetForClients(snippet)]));
}

const snippetForClients = ({ snippetId, title, content, createdAt }: SavedSnippetDocument): SavedSnippetForClients => ({
  id: snippetId,
  title,
  content,
  date_created: Math.floor(createdAt / 1000),
});
