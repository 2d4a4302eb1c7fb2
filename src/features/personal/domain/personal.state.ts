import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { topicId } from '../../../events/messages/topics.events.js';
import type { PersonalEvent } from '../../../events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import type { UserSettingValue } from '../../../events/personal/user-settings.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';

export interface PersonalState {
  /** The user's policies for topics, by `topicId`. */
  readonly topics: PersistentMap<string, { readonly topic: string; readonly policy: TopicPolicy }>;
  /** Words as they were added, by folded word. */
  readonly alertWords: PersistentMap<string, string>;
  readonly mutedUserIds: PersistentSet<number>;
  /** The settings that the user has chosen. */
  readonly settings: PersistentMap<string, UserSettingValue>;
}

/** Whether two events set a user's policy for the same topic. */
export const isOfSameTopic = (a: PersonalEvent, b: PersonalEvent): boolean =>
  a.type === 'TopicPolicySet' &&
  b.type === 'TopicPolicySet' &&
  topicId(a.data.channelId, a.data.topic) === topicId(b.data.channelId, b.data.topic);

export const personal: Decider<PersonalState, PersonalEvent> = {
  initialState: {
    topics: PersistentMap(),
    alertWords: PersistentMap(),
    mutedUserIds: PersistentSet(),
    settings: PersistentMap(),
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'TopicPolicySet': {
        const { channelId, topic, to: policy } = event.data;
        const key = topicId(channelId, topic);
        const { topics } = state;
        return {
          ...state,
          topics: policy === TOPIC_POLICIES.none ? topics.delete(key) : topics.set(key, { topic, policy }),
        };
      }
      case 'AlertWordsAdded': {
        const added = event.data.words.map((word): [string, string] => [foldCase(word), word]);
        return { ...state, alertWords: state.alertWords.merge(added) };
      }
      case 'AlertWordsRemoved':
        return { ...state, alertWords: state.alertWords.deleteAll(event.data.words.map(foldCase)) };
      case 'UserMuted':
        return { ...state, mutedUserIds: state.mutedUserIds.add(event.data.mutedUserId) };
      case 'UserUnmuted':
        return { ...state, mutedUserIds: state.mutedUserIds.delete(event.data.mutedUserId) };
      case 'UserSettingChanged':
        return { ...state, settings: state.settings.set(event.data.property, event.data.to) };
      default:
        event satisfies never;
        return state;
    }
  },
};
