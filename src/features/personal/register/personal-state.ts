import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Personal } from '../queries/personal-lists.js';
import { mutedTopicsForClients, type TopicNaming, userTopicForClients } from '../queries/topics-for-clients.js';

/** Parts of the state that concern the reader alone, by the names that they are fetched by. */
export const PERSONAL_PARTS = ['alert_words', 'muted_topics', 'muted_users', 'user_topic'] as const;

export function personalState(
  { lists, topics }: Personal,
  reader: UserRecord,
  naming: TopicNaming,
  directory: Directory,
): Readonly<Record<(typeof PERSONAL_PARTS)[number], () => object>> {
  return {
    alert_words: () => ({ alert_words: lists.alertWords }),
    muted_topics: () => ({ muted_topics: mutedTopicsForClients(topics, reader, naming, directory) }),
    muted_users: () => ({
      muted_users: lists.mutedUsers.map(({ userId: id, at }) => ({ id, timestamp: Math.floor(at / 1000) })),
    }),
    user_topic: () => ({ user_topics: topics.map((topic) => userTopicForClients(topic, naming)) }),
  };
}
