import type { StoredDocument } from '../src/document-store/document-store.js';
import { fold } from '../src/kernel/fold.js';
import type { Position } from '../src/kernel/position.js';
import { type MessageSent, messageIdAt } from '../src/messages/domain/messages.events.js';
import { insert, projection } from './projection.js';

/** A topic of a channel: as long as somebody has written in it. */
export interface TopicDocument extends StoredDocument {
  /** `<channelId>/<topicKey>` */
  readonly _id: string;
  readonly channelId: number;
  /** `name` folded: topics that differ only in case are one. */
  readonly topicKey: string;
  /** As it was written first. */
  readonly name: string;
  /** Where its oldest message is in the log. */
  readonly firstPosition: Position;
  /** Its newest message, and where that is in the log. */
  readonly lastMessageId: number;
  readonly position: Position;
}

export const TOPICS = 'topics';

export const topics = projection<MessageSent>({
  name: 'topics',
  version: 1,
  collections: {
    [TOPICS]: {
      indexes: [{ keys: { channelId: 1, lastMessageId: -1 } }, { keys: { channelId: 1, topicKey: 1 } }],
    },
  },
  on: {
    MessageSent: async ({ data: { recipient }, revision, position }, documents) => {
      if (recipient.type !== 'channel') return [];
      const { channelId, topic } = recipient;
      const topicKey = fold(topic);
      const _id = `${channelId}/${topicKey}`;
      const before = await documents.collection<TopicDocument>(TOPICS).findOne({ _id });
      if (before && before.position >= position) return [];
      const { name, firstPosition } = before ?? { name: topic, firstPosition: position };
      const lastMessageId = messageIdAt(revision);
      const topicNow: TopicDocument = { _id, channelId, topicKey, name, firstPosition, lastMessageId, position };
      return [insert(TOPICS, topicNow)];
    },
  },
});
