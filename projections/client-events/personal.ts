import type { Recorded } from '../../src/kernel/event.js';
import type { OwnRecordsEvent, PersonalListEvent } from '../../src/personal/domain/personal.events.js';
import { TOPIC_POLICIES } from '../../src/personal/domain/personal.settings.js';
import type { ClientEventDocument } from '../client-events.documents.js';
import { changedLists, NO_LISTS, type PersonalListsDocument } from '../personal-lists.js';
import {
  type Change,
  type EventHandlers,
  type EventLookUps,
  insert,
  type LookUp,
  type OwnDocuments,
} from '../projection.js';
import { entry, told } from './entries.js';
import { written } from './written.js';

/** The feed's own copies of the lists that are told whole. */
export const PERSONAL_LISTS = 'personalLists';

const PART = { part: 'personal' } as const;

/** A user's own clients are told, and nobody else. */
export const personalRules: EventHandlers<OwnRecordsEvent> = {
  TopicPolicySet: (event, documents) => {
    const { userId, channelId, topic, from, to } = event.data;
    const own = { userIds: [userId] };
    const policy = { channelId, topic, policy: to, setAt: event.metadata.at };
    const changesMuted = [from, to].some((one) => one === TOPIC_POLICIES.muted);
    return written(event, documents, [
      ...(changesMuted ? [entry(event, 'muted_topics', own, {}, PART)] : []),
      entry(event, 'user_topic', own, policy, PART),
    ]);
  },
  AlertWordsAdded: listTold,
  AlertWordsRemoved: listTold,
  UserMuted: listTold,
  UserUnmuted: listTold,
};

export const personalLookUps: EventLookUps<PersonalListEvent> = {
  AlertWordsAdded: ownLists,
  AlertWordsRemoved: ownLists,
  UserMuted: ownLists,
  UserUnmuted: ownLists,
};

function ownLists({ data: { userId } }: Recorded<PersonalListEvent>): readonly LookUp[] {
  return [[PERSONAL_LISTS, userId]];
}

async function listTold(event: Recorded<PersonalListEvent>, documents: OwnDocuments): Promise<readonly Change[]> {
  const { userId } = event.data;
  const kept = await documents.collection<PersonalListsDocument>(PERSONAL_LISTS).findOne({ _id: userId });
  const before = kept ?? { _id: userId, ...NO_LISTS, position: 0 };
  if (before.position > event.position) return [];
  const after = { ...before, ...changedLists(before, event), position: event.position };
  return [insert(PERSONAL_LISTS, after), ...(await written(event, documents, [toldList(event, after)]))];
}

function toldList(event: Recorded<PersonalListEvent>, lists: PersonalListsDocument): ClientEventDocument {
  const own = { userIds: [lists._id] };
  if (event.type === 'AlertWordsAdded' || event.type === 'AlertWordsRemoved')
    return { ...told(event, 'alert_words', own, { alert_words: lists.alertWords }), ...PART };
  const muted_users = lists.mutedUsers.map(({ userId: id, at }) => ({ id, timestamp: Math.floor(at / 1000) }));
  return { ...told(event, 'muted_users', own, { muted_users }), ...PART };
}
