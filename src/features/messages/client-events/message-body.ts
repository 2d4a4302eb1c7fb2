import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import type { message as messageKind } from '../../../../projections/client-events/messages.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { isFor } from '../../event-queues/queries/audience.js';
import { contentFlags } from '../../message-flags/queries/content-flags.js';
import { arrivedMuted, type MuteHistory } from '../../message-flags/queries/muted-senders.js';
import { startedRead } from '../../message-flags/queries/own-flags.js';
import type { AlertWordHistory } from '../../personal/services/alert-words.js';
import { meetsMentions } from './message-narrowing.js';

/** The reader's own facts, as of the message or later. */
interface ReaderFacts {
  readonly alertWords: AlertWordHistory;
  readonly mutes: MuteHistory;
}

/**
 * @param sent the message as it was sent
 * @param record writes the message as JSON, the same for all readers with the same options
 * @returns null if the queue's narrow asks for mentions or alert words that the message does not have
 */
export function messageBody(
  event: ClientEventOf<typeof messageKind>,
  sent: MessageDocument,
  record: () => string,
  reader: UserRecord,
  queue: EventQueueDocument,
  { alertWords, mutes }: ReaderFacts,
  directory: Directory,
): string | null {
  const flags = flagsAtFirst(event, sent, reader, { alertWords, mutes }, directory);
  if (!meetsMentions(queue.narrow, flags)) return null;
  const { localEcho } = event.payload;
  const localId = localEcho?.queueId === queue._id ? JSON.stringify(localEcho.localId) : null;
  const own = localId === null ? '' : `,"local_id":${localId},"local_message_id":${localId}`;
  return `{"type":"message","message":${record()},"flags":${JSON.stringify(flags)}${own}}`;
}

/** The flags of a new message. It starts unread, unless the reader has sent it or mutes its sender. */
function flagsAtFirst(
  event: ClientEventOf<typeof messageKind>,
  sent: MessageDocument,
  reader: UserRecord,
  { alertWords, mutes }: ReaderFacts,
  directory: Directory,
): string[] {
  if (!isFor(reader._id, event, directory)) return ['read', 'historical'];
  const called = contentFlags(reader, sent, alertWords, directory);
  return startedRead(reader, sent) || arrivedMuted(mutes, sent) ? ['read', ...called] : called;
}
