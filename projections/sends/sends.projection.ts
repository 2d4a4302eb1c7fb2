import { type MessageSent, messageIdAt } from '../../src/events/messages/messages.events.js';
import type { RaisedPolicy } from '../../src/events/personal/auto-topic-policy.settings.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { insert, projection } from '../../src/platform/read-models/projection.js';

/** A message sent under a key, by which a repeated send is recognized (D3). */
export interface SendDocument extends StoredDocument {
  /** Id of the event, derived from the key. It names the message's content key, with which `digest` was made. */
  readonly _id: string;
  readonly messageId: number;
  readonly digest: string;
  /** The topic policy that the send set for its sender; absent: none. */
  readonly senderPolicy?: RaisedPolicy;
  readonly position: Position;
}

export const SENDS = 'sends';

export const sends = projection<MessageSent>({
  name: 'sends',
  version: 2,
  collections: { [SENDS]: {} },
  mostlyMissed: SENDS,
  awaited: { MessageSent: ({ sendKey }) => sendKey !== undefined },
  on: {
    MessageSent: ({ data: { sendKey, senderPolicy }, id, revision, position }) => {
      if (!sendKey) return [];
      const sent: SendDocument = { _id: id, messageId: messageIdAt(revision), digest: sendKey.digest, position };
      return [insert(SENDS, senderPolicy ? { ...sent, senderPolicy } : sent)];
    },
  },
});
