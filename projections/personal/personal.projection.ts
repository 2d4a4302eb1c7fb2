import type { OwnRecordsEvent } from '../../src/events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../src/events/personal/personal.settings.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { changedLists, NO_LISTS } from './personal-lists.js';

/** A topic that a user has a policy for. */
export interface TopicPolicyDocument extends UserItem {
  readonly channelId: number;
  /** `topic` folded. */
  readonly topicKey: string;
  readonly topic: string;
  readonly policy: Exclude<TopicPolicy, 0>;
  /** Milliseconds since 1970. */
  readonly setAt: number;
}

export const TOPIC_POLICY = 'topicPolicies';
export const LISTS = 'lists';

export const topicPolicyId = (channelId: number, topicKey: string): string => `${channelId}/${topicKey}`;

/**
 * Settings and lists of single users. A user may have any number of topic policies: they are items. The lists are short:
 * they are fields of the owner's document.
 */
export const personal = userList<OwnRecordsEvent, TopicPolicyDocument, typeof NO_LISTS>({
  name: 'personal',
  version: 2,
  items: TOPIC_POLICY,
  indexes: [{ keys: { userId: 1, channelId: 1, topicKey: 1 } }, { keys: { channelId: 1, topicKey: 1 } }],
  order: { channelId: 1, topicKey: 1 },
  owner: {
    collection: LISTS,
    indexes: [{ keys: { wordsChangedAt: 1 }, sparse: true }],
    initial: NO_LISTS,
    changed: (before, event) => (event.type === 'TopicPolicySet' ? before : changedLists(before, event)),
  },
  on: {
    TopicPolicySet: ({ data, metadata }, own) => {
      const { channelId, topic, to: policy } = data;
      const topicKey = foldCase(topic);
      const id = topicPolicyId(channelId, topicKey);
      if (policy === TOPIC_POLICIES.none) return [own.remove(id)];
      return [own.put(id, { channelId, topicKey, topic, policy, setAt: metadata.at })];
    },
    AlertWordsAdded: () => [],
    AlertWordsRemoved: () => [],
    UserMuted: () => [],
    UserUnmuted: () => [],
  },
});
