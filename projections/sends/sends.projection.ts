import { type MessageSent, messageIdAt } from '../../src/events/messages/messages.events.js';
import type { RaisedPolicy } from '../../src/events/personal/auto-topic-policy.settings.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { insert, projection } from '../../src/platform/read-models/projection.js';

/** A message sent under a key. */
export interface SendEntry {
  readonly messageId: number;
  /** Names the message's content key, with which `digest` was made. */
  readonly eventId: string;
  readonly digest: string;
  /** The topic policy that the send set for its sender; absent: none. */
  readonly senderPolicy?: RaisedPolicy;
}

/** The messages sent under a key, by which a repeated send is recognized (D3). */
export interface SendDocument extends StoredDocument {
  /** `sendKey.id` of the events. */
  readonly _id: string;
  /** In the order sent. More than one if a client used a `local_id` again for other content. */
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
  prefetch: { MessageSent: ({ data: { sendKey } }) => (sendKey ? [[SENDS, sendKey.id]] : []) },
});
