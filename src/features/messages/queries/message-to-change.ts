import {
  MESSAGES,
  type MessageDocument,
  messages,
  recipientOf,
} from '../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import type { Placed } from '../../../events/messages/message.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';
import { reach } from '../../../platform/read-models/read-models.js';

/**
 * The message that a user names to change it: the user may read it, and its channel is not archived. Refuses with
 * INVALID_MESSAGE, whatever the reason.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function messageToChange(messageId: number, reader: UserRecord, facts: Facts): Promise<MessageDocument> {
  const message = await readableMessage(messageId, reader, facts);
  if (message.type === 'channel' && facts.directory.channel(message.channelId)?.isArchived) refuse('INVALID_MESSAGE');
  return message;
}

/**
 * The message that a user names and may read. Refuses with INVALID_MESSAGE.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function readableMessage(messageId: number, reader: UserRecord, facts: Facts): Promise<MessageDocument> {
  const message = await knownMessage(messageId, facts);
  if (!message || !mayRead(reader, message, facts.directory)) return refuse('INVALID_MESSAGE');
  return message;
}

/**
 * The message, or null. Acknowledged messages may be missing in documents that have fallen behind: null comes only from
 * documents that have all of the log that this process has seen.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function knownMessage(
  messageId: number,
  { directory, readModels }: Facts,
): Promise<MessageDocument | null> {
  const through = directory.position;
  const find = () => readModels.collection<MessageDocument>(messages, MESSAGES).findOne({ _id: messageId });
  const isCurrent = readModels.position(messages) >= through;
  const found = await find();
  if (found || isCurrent) return found;
  await reach(through, messages, readModels, 'whether there is such a message is not known as far as the log goes');
  return find();
}

/** @param asOf position that the documents had reached before the message was read */
export const placedIn = (message: MessageDocument, asOf: Position): Placed =>
  message.type === 'direct'
    ? { place: recipientOf(message) }
    : { place: recipientOf(message), placeAsOf: Math.max(asOf, message.position) };
