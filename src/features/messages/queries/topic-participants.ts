import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { type Position } from '../../../platform/kernel/position.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/** Number of a topic's newest messages that are read. */
const MOST_MESSAGES = 5000;
const BATCH = 1000;

/**
 * The users who have written in a topic, or reacted there, among its newest 5,000 messages.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function topicParticipants(
  readModels: ReadModels,
  channelId: number,
  topic: string,
): Promise<ReadonlySet<number>> {
  const collection = readModels.collection<MessageDocument>(messages, MESSAGES);
  const found = new Set<number>();
  let before: Position | null = null;
  for (let seen = 0; seen < MOST_MESSAGES; seen += BATCH) {
    const page: MessageDocument[] = await collection.find(
      { channelId, topicKey: foldCase(topic), ...(before !== null && { sentPosition: { $lt: before } }) },
      { sort: { sentPosition: -1 }, limit: BATCH, projection: { senderId: 1, reactions: 1, sentPosition: 1 } },
    );
    for (const { senderId, reactions = [] } of page) {
      found.add(senderId);
      for (const { userId } of reactions) found.add(userId);
    }
    before = page.at(-1)?.sentPosition ?? null;
    if (page.length < BATCH) break;
  }
  return found;
}
