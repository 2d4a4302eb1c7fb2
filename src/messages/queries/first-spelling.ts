import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { fold } from '../../kernel/fold.js';

/** A topic as whoever began it has written it; null where nobody has. Topics match without regard to case. */
export async function firstSpelling(readModels: ReadModels, channelId: number, topic: string): Promise<string | null> {
  const [first] = await readModels
    .collection<MessageDocument>(messages, MESSAGES)
    .find(
      { channelId, topicKey: fold(topic) },
      { sort: { sentPosition: 1 }, limit: 1, projection: { topic: 1, type: 1 } },
    );
  return first?.type === 'channel' ? first.topic : null;
}
