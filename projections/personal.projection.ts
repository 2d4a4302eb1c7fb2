import type { StoredDocument } from '../src/document-store/document-store.js';
import type { Recorded } from '../src/kernel/event.js';
import { fold } from '../src/kernel/fold.js';
import type { Position } from '../src/kernel/position.js';
import type { OwnRecordsEvent, PersonalListEvent } from '../src/personal/domain/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../src/personal/domain/personal.settings.js';
import { changedLists, NO_LISTS, type PersonalListsDocument } from './personal-lists.js';
import { type Change, insert, type LookUp, type OwnDocuments, projection } from './projection.js';

/** A topic that a user has a policy for. */
export interface TopicPolicyDocument extends StoredDocument {
  /** `<userId>/<channelId>/<topicKey>` */
  readonly _id: string;
  readonly userId: number;
  readonly channelId: number;
  /** `topic` folded. */
  readonly topicKey: string;
  readonly topic: string;
  readonly policy: Exclude<TopicPolicy, 0>;
  /** Milliseconds since 1970. */
  readonly setAt: number;
  readonly position: Position;
}

export const TOPIC_POLICY = 'topicPolicies';
export const LISTS = 'lists';

/**
 * What concerns one user alone. Topic policies are documents of their own, since a user may have any number of them;
 * every event of a user raises the position in their lists, written last: whoever reads the lists after the policies
 * knows as of when both are.
 */
export const personal = projection<OwnRecordsEvent>({
  name: 'personal',
  version: 2,
  collections: {
    [TOPIC_POLICY]: {
      indexes: [{ keys: { userId: 1, channelId: 1, topicKey: 1 } }, { keys: { channelId: 1, topicKey: 1 } }],
    },
    [LISTS]: { indexes: [{ keys: { wordsChangedAt: 1 }, sparse: true }] },
  },
  on: {
    TopicPolicySet: async (event, documents) => {
      const { userId, channelId, topic, to: policy } = event.data;
      const before = await listsOf(userId, documents);
      if (before.position > event.position) return [];
      const after: PersonalListsDocument = { ...before, position: event.position };
      const topicKey = fold(topic);
      const _id = `${userId}/${channelId}/${topicKey}`;
      if (policy === TOPIC_POLICIES.none)
        return [{ collection: TOPIC_POLICY, operation: { deleteOne: { filter: { _id } } } }, insert(LISTS, after)];
      const { at: setAt } = event.metadata;
      const own: TopicPolicyDocument = {
        _id,
        userId,
        channelId,
        topicKey,
        topic,
        policy,
        setAt,
        position: event.position,
      };
      return [insert(TOPIC_POLICY, own), insert(LISTS, after)];
    },
    AlertWordsAdded: listsChanged,
    AlertWordsRemoved: listsChanged,
    UserMuted: listsChanged,
    UserUnmuted: listsChanged,
  },
  looksUp: {
    TopicPolicySet: ownLists,
    AlertWordsAdded: ownLists,
    AlertWordsRemoved: ownLists,
    UserMuted: ownLists,
    UserUnmuted: ownLists,
  },
});

function ownLists({ data: { userId } }: Recorded<OwnRecordsEvent>): readonly LookUp[] {
  return [[LISTS, userId]];
}

async function listsChanged(event: Recorded<PersonalListEvent>, documents: OwnDocuments): Promise<readonly Change[]> {
  const before = await listsOf(event.data.userId, documents);
  if (before.position > event.position) return [];
  const after: PersonalListsDocument = { ...before, ...changedLists(before, event), position: event.position };
  return [insert(LISTS, after)];
}

async function listsOf(userId: number, documents: OwnDocuments): Promise<PersonalListsDocument> {
  const found = await documents.collection<PersonalListsDocument>(LISTS).findOne({ _id: userId });
  return found ?? { _id: userId, ...NO_LISTS, position: 0 };
}
