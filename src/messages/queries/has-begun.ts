import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { dmKeyOf } from '../domain/dm-key.js';

/**
 * Whether there is a message in the conversation of exactly these people.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function hasBegun(readModels: ReadModels, userIds: readonly number[]): Promise<boolean> {
  const sent = readModels.collection<MessageDocument>(messages, MESSAGES);
  const [first] = await sent.find({ dmKey: dmKeyOf(userIds) }, { limit: 1, projection: { _id: 1 } });
  return first !== undefined;
}
