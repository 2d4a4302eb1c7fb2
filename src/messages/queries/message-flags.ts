import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { isInHistory } from './readable-messages.js';

/** The reader's own flags on a message (api.md, Message flags), worked out when it is read (D9). */
export function messageFlags(reader: UserRecord, message: MessageDocument, directory: Directory): string[] {
  if (!isInHistory(reader, message, directory)) return ['read', 'historical'];
  return isReadInHistory(reader, message) ? ['read'] : [];
}

/** Of a message in the reader's history: whether they have read it. */
export function isReadInHistory(
  reader: UserRecord,
  message: Pick<MessageDocument, 'senderId' | 'readBySender'>,
): boolean {
  return message.senderId === reader._id && message.readBySender;
}
