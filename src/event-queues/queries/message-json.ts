import type { ClientEventOf } from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { callFlags } from '../../messages/queries/call-flags.js';
import { asItWasSent } from '../../messages/queries/message-words.js';
import type { AlertWordHistory } from '../../personal/queries/alert-words.js';
import { startedRead } from '../../read-state/queries/own-flags.js';
import { isFor } from './audience.js';
import { wantsCalled } from './queue-filter.js';

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
  alertWords: AlertWordHistory,
  directory: Directory,
): string | null {
  const flags = flagsAtFirst(event, message, reader, alertWords, directory);
  if (!wantsCalled(queue.narrow, flags)) return null;
  const { localEcho } = event.payload;
  const localId = localEcho?.queueId === queue._id ? JSON.stringify(localEcho.localId) : null;
  const own = localId === null ? '' : `,"local_id":${localId},"local_message_id":${localId}`;
  return `{"type":"message","message":${record()},"flags":${JSON.stringify(flags)}${own}}`;
}

/** Of a message that has just come: what was sent to the reader starts unread, unless they sent it. */
function flagsAtFirst(
  event: ClientEventOf<'message'>,
  message: MessageDocument,
  reader: UserRecord,
  alertWords: AlertWordHistory,
  directory: Directory,
): string[] {
  if (!isFor(reader._id, event, directory)) return ['read', 'historical'];
  const called = callFlags(reader, asItWasSent(message), alertWords, directory);
  return startedRead(reader, message) ? ['read', ...called] : called;
}
