import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { isInHistory } from '../../../directory/readable-messages.js';
import { contentFlags } from './content-flags.js';
import type { OwnFlags } from './own-flags.js';

/** The reader's flags on a message, computed when it is read (D9). */
export function messageFlags(
  reader: UserRecord,
  message: MessageDocument,
  own: OwnFlags,
  directory: Directory,
): string[] {
  if (!isInHistory(reader, message, directory)) return [...own.list(message), 'historical'];
  return [...own.list(message), ...contentFlags(reader, message, own.alertWords, directory)];
}
