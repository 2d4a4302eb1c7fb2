import { messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { TOPICS, type TopicDocument } from '../../../projections/topic-documents.js';

/**
 * Whether anybody has written in a topic of the channel that has a name.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function hasTopics(channelId: number, readModels: ReadModels): Promise<boolean> {
  const named = { channelId, topicKey: { $gt: '' } };
  return (await readModels.collection<TopicDocument>(messages, TOPICS).find(named, { limit: 1 })).length > 0;
}
