import { Query } from '../../../platform/kernel/command.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { type DraftForClients, draftsOf } from './drafts-for-clients.js';

/** All of a user's drafts, the last edited first. */
export class GetDrafts extends Query<readonly DraftForClients[]> {
  constructor(readonly userId: number) {
    super();
  }
}

export const draftQueries = [
  answersFrom(
    GetDrafts,
    READ_MODELS,
    async ({ userId }, readModels: ReadModels) => (await draftsOf(userId, readModels)).drafts,
  ),
];
