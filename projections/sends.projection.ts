import type { StoredDocument } from '../src/document-store/document-store.js';
import type { Position } from '../src/kernel/position.js';
import { type MessageSent, messageIdAt } from '../src/messages/domain/messages.events.js';
import type { RaisedPolicy } from '../src/personal/domain/topic-habits.settings.js';
import { insert, projection } from './projection.js';

/** One message sent under a key. */
export interface SendEntry {
  readonly messageId: number;
  /** Names the message's content key, under which `digest` was made. */
  readonly eventId: string;
  readonly digest: string;
  /** What the send made of the topic to its sender; absent: nothing. */
  readonly senderPolicy?: RaisedPolicy;
}

/** What has been sent under one key: how a repeat is told from a new message (D3). */
export interface SendDocument extends StoredDocument {
  /** `sendKey.id` of the events. */
  readonly _id: string;
  /** In the order sent. More than one where a client used a `local_id` again for other words. */
  readonly entries: readonly SendEntry[];
  readonly position: Position;
}

export const SENDS = 'sends';

export const sends = projection<MessageSent>({
  name: 'sends',
  version: 1,
  collections: { [SENDS]: {} },
  on: {
    MessageSent: async ({ data: { sendKey, senderPolicy }, id: eventId, revision, position }, documents) => {
      if (!sendKey) return [];
      const before = await documents.collection<SendDocument>(SENDS).findOne({ _id: sendKey.id });
      if (before && before.position >= position) return [];
      const sent = { messageId: messageIdAt(revision), eventId, digest: sendKey.digest };
      const entry: SendEntry = senderPolicy ? { ...sent, senderPolicy } : sent;
      const document: SendDocument = { _id: sendKey.id, entries: [...(before?.entries ?? []), entry], position };
      return [insert(SENDS, document)];
    },
  },
  looksUp: { MessageSent: ({ data: { sendKey } }) => (sendKey ? [[SENDS, sendKey.id]] : []) },
});
