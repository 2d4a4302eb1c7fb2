import { Query } from '../../../platform/kernel/command.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { type SavedSnippetForClients, snippetsOf } from './snippets-for-clients.js';

/** All of a user's saved snippets, the oldest first. */
export class GetSavedSnippets extends Query<readonly SavedSnippetForClients[]> {
  constructor(readonly userId: number) {
    super();
  }
}

export const savedSnippetQueries = [
  answersFrom(
    GetSavedSnippets,
    READ_MODELS,
    async ({ userId }, readModels: ReadModels) => (await snippetsOf(userId, readModels)).snippets,
  ),
];
