import type { OwnRecordsEvent, PersonalListEvent } from '../../src/events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../src/events/personal/personal.settings.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import {
  type Change,
  type EventHandlers,
  type EventPrefetch,
  insert,
  type LookUp,
  type OwnDocuments,
} from '../../src/platform/read-models/projection.js';
import { changedLists, NO_LISTS, type PersonalListsDocument } from '../personal/personal-lists.js';
import { clientEvent, staticClientEvent } from './client-event.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { written } from './written.js';

/** The feed's own copies of lists that client events hold as a whole. */
export const PERSONAL_LISTS = 'personalLists';

/** All muted topics, for clients that are older than `user_topic`. They are read when the client event is sent. */
export const mutedTopics = clientEvent<Readonly<Record<never, never>>>()({
  kind: 'muted_topics',
  rank: 1008,
  part: 'personal',
  replacedBy: 'user_topic',
});

export const userTopic = clientEvent<{
  readonly channelId: number;
  readonly topic: string;
  readonly policy: TopicPolicy;
  /** Milliseconds since 1970. */
  readonly setAt: number;
}>()({ kind: 'user_topic', rank: 1024, part: 'personal' });

export const alertWords = staticClientEvent<{ readonly alert_words: readonly string[] }>()({
  kind: 'alert_words',
  rank: 1024,
  part: 'personal',
});

export const mutedUsers = staticClientEvent<{
  readonly muted_users: readonly { readonly id: number; readonly timestamp: number }[];
}>()({ kind: 'muted_users', rank: 1024, part: 'personal' });

/** Tells only the user's own clients. */
export const personalRules: EventHandlers<OwnRecordsEvent> = {
  TopicPolicySet: (event, documents) => {
    const { userId, channelId, topic, from, to } = event.data;
    const own = { userIds: [userId] };
    const policy = { channelId, topic, policy: to, setAt: event.metadata.at };
    const changesMuted = [from, to].some((one) => one === TOPIC_POLICIES.muted);
    return written(event, documents, [
      ...(changesMuted ? [mutedTopics.of(event, own, {})] : []),
      userTopic.of(event, own, policy),
    ]);
  },
  AlertWordsAdded: listChanged,
  AlertWordsRemoved: listChanged,
  UserMuted: listChanged,
  UserUnmuted: listChanged,
};

export const personalLookUps: EventPrefetch<PersonalListEvent> = {
  AlertWordsAdded: ownLists,
  AlertWordsRemoved: ownLists,
  UserMuted: ownLists,
  UserUnmuted: ownLists,
};

function ownLists({ data: { userId } }: Recorded<PersonalListEvent>): readonly LookUp[] {
  return [[PERSONAL_LISTS, userId]];
}

async function listChanged(event: Recorded<PersonalListEvent>, documents: OwnDocuments): Promise<readonly Change[]> {
  const { userId } = event.data;
  const kept = await documents.collection<PersonalListsDocument>(PERSONAL_LISTS).findOne({ _id: userId });
  const before = kept ?? { _id: userId, ...NO_LISTS, position: 0 };
  if (before.position > event.position) return [];
  const after = { ...before, ...changedLists(before, event), position: event.position };
  return [insert(PERSONAL_LISTS, after), ...(await written(event, documents, [wholeList(event, after)]))];
}

function wholeList(event: Recorded<PersonalListEvent>, lists: PersonalListsDocument): ClientEventDocument {
  const own = { userIds: [lists._id] };
  if (event.type === 'AlertWordsAdded' || event.type === 'AlertWordsRemoved')
    return alertWords.of(event, own, { alert_words: lists.alertWords });
  const muted_users = lists.mutedUsers.map(({ userId: id, at }) => ({ id, timestamp: Math.floor(at / 1000) }));
  return mutedUsers.of(event, own, { muted_users });
}
