import type { ClientEventOf } from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { callFlags } from '../../messages/queries/call-flags.js';
import { asItWasSent } from '../../messages/queries/message-words.js';
import type { AlertWordHistory } from '../../personal/queries/alert-words.js';
import { arrivedMuted, type MuteHistory } from '../../read-state/queries/muted-senders.js';
import { startedRead } from '../../read-state/queries/own-flags.js';
import { isFor } from './audience.js';
import { wantsCalled } from './queue-filter.js';

/** The reader's, as of the message at least. */
export interface ReaderFacts {
  readonly alertWords: AlertWordHistory;
  readonly mutes: MuteHistory;
}

/**
 * @param record the message as JSON, the same for everybody who wants it in the same way
 * @returns null where the queue asks for words that call its reader otherwise
 */
export function messageBody(
  event: ClientEventOf<'message'>,
  message: MessageDocument,
  record: () => string,
  reader: UserRecord,
  queue: EventQueueDocument,
  { alertWords, mutes }: ReaderFacts,
  directory: Directory,
): string | null {
  const flags = flagsAtFirst(event, message, reader, { alertWords, mutes }, directory);
  if (!wantsCalled(queue.narrow, flags)) return null;
  const { localEcho } = event.payload;
  const localId = localEcho?.queueId === queue._id ? JSON.stringify(localEcho.localId) : null;
  const own = localId === null ? '' : `,"local_id":${localId},"local_message_id":${localId}`;
  return `{"type":"message","message":${record()},"flags":${JSON.stringify(flags)}${own}}`;
}

/** Of a message that has just come: it starts unread, unless the reader sent it, or does not want to hear who did. */
function flagsAtFirst(
  event: ClientEventOf<'message'>,
  message: MessageDocument,
  reader: UserRecord,
  { alertWords, mutes }: ReaderFacts,
  directory: Directory,
): string[] {
  if (!isFor(reader._id, event, directory)) return ['read', 'historical'];
  const called = callFlags(reader, asItWasSent(message), alertWords, directory);
  return startedRead(reader, message) || arrivedMuted(mutes, message) ? ['read', ...called] : called;
}
