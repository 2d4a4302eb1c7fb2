import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { dmKeyOf } from '../../narrow/domain/narrow.js';

/**
 * Whether a message exists in the conversation of exactly these users.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function hasBegun(readModels: ReadModels, userIds: readonly number[]): Promise<boolean> {
  const sent = readModels.collection<MessageDocument>(messages, MESSAGES);
  const [first] = await sent.find({ dmKey: dmKeyOf(userIds) }, { limit: 1, projection: { _id: 1 } });
  return first !== undefined;
}
