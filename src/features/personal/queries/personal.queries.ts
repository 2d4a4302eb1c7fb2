import {
  LISTS,
  personal,
  TOPIC_POLICY,
  type TopicPolicyDocument,
} from '../../../../projections/personal/personal.projection.js';
import {
  NO_LISTS,
  type PersonalLists,
  type PersonalListsDocument,
} from '../../../../projections/personal/personal-lists.js';
import type { Position } from '../../../platform/kernel/position.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsOf } from '../../../platform/read-models/read-user-list.js';

/** A user's personal lists and policies at one position. */
export interface Personal {
  readonly lists: PersonalLists;
  /** By channel and name. */
  readonly topics: readonly TopicPolicyDocument[];
  /** The position that they are as of. */
  readonly position: Position;
}

/** @throws UnavailableError, DocumentStoreUnavailable */
async function listsOf(readModels: ReadModels, userId: number): Promise<PersonalListsDocument | null> {
  return readModels.collection<PersonalListsDocument>(personal, LISTS).findOne({ _id: userId });
}

/** @throws UnavailableError, DocumentStoreUnavailable */
export async function topicPoliciesOf(readModels: ReadModels, userId: number): Promise<readonly TopicPolicyDocument[]> {
  return readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY).find({ userId }, { sort: personal.order });
}

/**
 * A user's lists and policies at one position, which is `at` or later.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function readPersonal(readModels: ReadModels, userId: number, at: Position): Promise<Personal> {
  const found = await itemsOf<TopicPolicyDocument, PersonalListsDocument>(personal, userId, readModels, at);
  return { lists: found.owner ?? NO_LISTS, topics: found.items, position: found.position };
}

/** A user's alert words, in the order they were added. */
export class GetAlertWords extends Query<{ userId: number }, readonly string[]> {}

export const personalQueries = [
  answersFrom(
    GetAlertWords,
    READ_MODELS,
    async ({ userId }, readModels: ReadModels) => (await listsOf(readModels, userId))?.alertWords ?? [],
  ),
];
