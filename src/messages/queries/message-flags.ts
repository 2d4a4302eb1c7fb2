import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { OwnFlags } from '../../read-state/queries/own-flags.js';
import { callFlags } from './call-flags.js';
import { isInHistory } from './readable-messages.js';

/** The reader's own flags on a message (api.md, Message flags), worked out when it is read (D9). */
export function messageFlags(
  reader: UserRecord,
  message: MessageDocument,
  own: OwnFlags,
  directory: Directory,
): string[] {
  if (!isInHistory(reader, message, directory)) return [...own.list(message), 'historical'];
  return [...own.list(message), ...callFlags(reader, message, own.alertWords, directory)];
}
