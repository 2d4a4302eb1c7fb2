import { LISTS, personal, TOPIC_POLICY, type TopicPolicyDocument } from '../../../projections/personal.projection.js';
import { NO_LISTS, type PersonalLists, type PersonalListsDocument } from '../../../projections/personal-lists.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { type Position, START } from '../../kernel/position.js';

/** What a user has for themselves, at one moment. */
export interface Personal {
  readonly lists: PersonalLists;
  /** By channel and name. */
  readonly topics: readonly TopicPolicyDocument[];
  /** As of which it was read. */
  readonly position: Position;
}

const MOST_READS = 5;

/** @throws UnavailableError, DocumentStoreUnavailable */
export async function listsOf(readModels: ReadModels, userId: number): Promise<PersonalListsDocument | null> {
  return readModels.collection<PersonalListsDocument>(personal, LISTS).findOne({ _id: userId });
}

/** @throws UnavailableError, DocumentStoreUnavailable */
export async function topicPoliciesOf(readModels: ReadModels, userId: number): Promise<readonly TopicPolicyDocument[]> {
  return readModels
    .collection<TopicPolicyDocument>(personal, TOPIC_POLICY)
    .find({ userId }, { sort: { channelId: 1, topicKey: 1 } });
}

/**
 * All of it, as of a position that is `at` or later. Every event of the user raises the position of the lists, which are
 * read last: where that is no later than what had been applied before anything was read, nothing came in between.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function readPersonal(readModels: ReadModels, userId: number, at: Position): Promise<Personal> {
  await readModels.waitFor([personal], at);
  let seen = START;
  for (let read = 1; ; read++) {
    const position = Math.max(seen, readModels.position(personal));
    const topics = await topicPoliciesOf(readModels, userId);
    const lists = await listsOf(readModels, userId);
    // Somebody who changes their lists all the time gets some of the changes again: each event says what is so after it.
    if (!lists || lists.position <= position || read === MOST_READS)
      return { lists: lists ?? NO_LISTS, topics, position };
    seen = lists.position;
  }
}
