import { messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { TOPICS, type TopicDocument, topicId } from '../../../projections/topic-documents.js';

/** A topic as whoever began it has written it; null where nobody has. Topics match without regard to case. */
export async function firstSpelling(readModels: ReadModels, channelId: number, topic: string): Promise<string | null> {
  const _id = topicId(channelId, topic);
  const found = await readModels.collection<TopicDocument>(messages, TOPICS).findOne({ _id });
  return found?.name ?? null;
}
