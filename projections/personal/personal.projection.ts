import type { OwnRecordsEvent, PersonalListEvent } from '../../src/events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../src/events/personal/personal.settings.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { foldCase } from '../../src/platform/kernel/fold-case.js';
import type { Position } from '../../src/platform/kernel/position.js';
import {
  type Change,
  insert,
  type LookUp,
  type OwnDocuments,
  projection,
} from '../../src/platform/read-models/projection.js';
import { changedLists, NO_LISTS, type PersonalListsDocument } from './personal-lists.js';

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
 * Settings and lists of single users. Topic policies are documents of their own, since a user may have any number of
 * them. Every event of a user raises the position in the user's lists, which are written last. If the lists are read after
 * the policies, their position is that of both.
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
      const topicKey = foldCase(topic);
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
  prefetch: {
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
