import {
  type SavedSnippetDocument,
  savedSnippets,
  savedSnippetsAdd,
  savedSnippetsUpdate,
} from '../../../../projections/saved-snippets/saved-snippets.projection.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsOf } from '../../../platform/read-models/read-user-list.js';
import { itemEvents } from '../../event-queues/item-events.js';
import { listState } from '../../event-queues/list-state.js';

/** The published fields of a saved snippet. */
export interface SavedSnippetForClients {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  /** Seconds since 1970. */
  readonly date_created: number;
}

const forClients = ({ snippetId: id, title, content, createdAt }: SavedSnippetDocument): SavedSnippetForClients => ({
  id,
  title,
  content,
  date_created: Math.floor(createdAt / 1000),
});

/** All of a user's saved snippets, the oldest first. */
export class GetSavedSnippets extends Query<{ userId: number }, readonly SavedSnippetForClients[]> {}

export const savedSnippetQueries = [
  answersFrom(GetSavedSnippets, READ_MODELS, async ({ userId }, readModels: ReadModels) =>
    (await itemsOf(savedSnippets, userId, readModels)).items.map(forClients),
  ),
];

export const SavedSnippetStateReader = listState({
  list: savedSnippets,
  part: 'saved_snippets',
  state: (items) => ({ saved_snippets: items.map(forClients) }),
});

export const SavedSnippetClientEvents = itemEvents({
  list: savedSnippets,
  kinds: [savedSnippetsAdd, savedSnippetsUpdate],
  ids: ({ snippetId }) => [snippetId],
  idOf: ({ snippetId }) => snippetId,
  body: (kind, [item]) => ({
    type: 'saved_snippets',
    op: kind === 'saved_snippets/add' ? 'add' : 'update',
    saved_snippet: item && forClients(item),
  }),
});
