import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { type DraftForClients, draftsOf } from './drafts-for-clients.js';

/** All of a user's drafts, the last edited first. */
export class GetDrafts {
  constructor(readonly userId: number) {}
}

@QueryHandler(GetDrafts)
export class GetDraftsHandler implements IQueryHandler<GetDrafts, readonly DraftForClients[]> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ userId }: GetDrafts): Promise<readonly DraftForClients[]> {
    return (await draftsOf(userId, this.readModels)).drafts;
  }
}
