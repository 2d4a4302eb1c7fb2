import { messages } from '../../../../projections/messages/messages.projection.js';
import { TOPICS, type TopicDocument } from '../../../../projections/messages/topic-documents.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/**
 * Whether the channel has a message in a topic other than the empty one.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function hasTopics(channelId: number, readModels: ReadModels): Promise<boolean> {
  const named = { channelId, topicKey: { $gt: '' } };
  return (await readModels.collection<TopicDocument>(messages, TOPICS).find(named, { limit: 1 })).length > 0;
}
