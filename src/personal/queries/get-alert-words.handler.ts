import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { listsOf } from './personal-lists.js';

/** In the order added. */
export class GetAlertWords {
  constructor(readonly userId: number) {}
}

@QueryHandler(GetAlertWords)
export class GetAlertWordsHandler implements IQueryHandler<GetAlertWords, readonly string[]> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ userId }: GetAlertWords): Promise<readonly string[]> {
    return (await listsOf(this.readModels, userId))?.alertWords ?? [];
  }
}
