import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { fold } from '../../kernel/fold.js';
import { type Position } from '../../kernel/position.js';

/** How far back somebody may have taken part for the last time. */
const LOOKED_AT = 5000;
const BATCH = 1000;

/**
 * Whoever has written in a topic, or reacted to what is written there, among its newest 5,000 messages.
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
  for (let seen = 0; seen < LOOKED_AT; seen += BATCH) {
    const page: MessageDocument[] = await collection.find(
      { channelId, topicKey: fold(topic), ...(before !== null && { sentPosition: { $lt: before } }) },
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
