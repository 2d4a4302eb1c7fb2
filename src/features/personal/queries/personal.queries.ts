import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { listsOf } from './personal-lists.js';

/** A user's alert words, in the order they were added. */
export class GetAlertWords extends Query<{ userId: number }, readonly string[]> {}

export const personalQueries = [
  answersFrom(
    GetAlertWords,
    READ_MODELS,
    async ({ userId }, readModels: ReadModels) => (await listsOf(readModels, userId))?.alertWords ?? [],
  ),
];
