import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  type ChannelMessageDocument,
  MESSAGES,
  messages,
} from '../../../../projections/messages/messages.projection.js';
import { TOPICS, type TopicDocument } from '../../../../projections/messages/topic-documents.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { channelFor } from '../../../directory/permissions.js';
import { ALL, channelReach, mayRead, type Reach } from '../../../directory/readable-messages.js';
import { Query } from '../../../platform/kernel/query.js';
import { readMovedIn } from './reading/moved-in.js';

export class GetTopics extends Query<{ reader: UserRecord; channelId: number }, readonly Topic[]> {}

export interface Topic {
  readonly name: string;
  /** Id of the newest message that the reader may read. */
  readonly maxId: number;
}

const PAGE = 1000;
const SMALL_PAGE = 50;

@QueryHandler(GetTopics)
export class GetTopicsHandler implements IQueryHandler<GetTopics> {
  constructor(private readonly facts: Facts) {}

  /**
   * The topics with messages that the reader may read, the newest first.
   * @throws DomainError INVALID_CHANNEL_ID; UnavailableError, DocumentStoreUnavailable
   */
  async execute({ reader, channelId }: GetTopics): Promise<readonly Topic[]> {
    channelFor(reader, channelId, 'read', this.facts.directory);
    const reach = channelReach(reader, channelId, this.facts.directory);
    const hasMovedIn = (await readMovedIn(this.facts.readModels)).some((pair) => pair.channelId === channelId);
    const newest = (topic: TopicDocument): number | null | Promise<number | null> => {
      if (reach === ALL) return topic.lastMessageId;
      return hasMovedIn ? this.newestSeen(reader, topic) : this.newestWithin(reach, topic);
    };
    const found: Topic[] = [];
    for await (const topic of this.topicsOf(channelId)) {
      const maxId = await newest(topic);
      if (maxId !== null) found.push({ name: topic.name, maxId });
    }
    return found.sort((a, b) => b.maxId - a.maxId);
  }

  /** The channel's topics, the newest first. */
  private async *topicsOf(channelId: number): AsyncGenerator<TopicDocument> {
    const collection = this.facts.readModels.collection<TopicDocument>(messages, TOPICS);
    const newestFirst = { sort: { lastMessageId: -1 }, limit: PAGE } as const;
    let page = await collection.find({ channelId }, newestFirst);
    for (; page.length > 0; ) {
      yield* page;
      const before = page.at(-1)?.lastMessageId;
      if (page.length < PAGE) return;
      page = await collection.find({ channelId, lastMessageId: { $lt: before } }, newestFirst);
    }
  }

  /**
   * Id of the newest message sent within the reach. Looks messages up only if the topic's newest ones are not in it.
   */
  private async newestWithin(reach: Reach, topic: TopicDocument): Promise<number | null> {
    const { channelId, topicKey, firstPosition, lastPosition, lastMessageId } = topic;
    for (const { from, to } of [...reach].reverse()) {
      if (lastPosition <= from || (to !== null && firstPosition >= to)) continue;
      if (to === null || lastPosition < to) return lastMessageId;
      const sentPosition = { $gt: from, $lt: to };
      const [newest] = await this.facts.readModels
        .collection<ChannelMessageDocument>(messages, MESSAGES)
        .find({ channelId, topicKey, sentPosition }, { sort: { sentPosition: -1 }, limit: 1 });
      if (newest) return newest._id;
    }
    return null;
  }

  /**
   * Id of the newest readable message. Checks each message: in a channel that messages have moved into, the time at which
   * a message was sent does not tell who may read it.
   */
  private async newestSeen(reader: UserRecord, { channelId, topicKey }: TopicDocument): Promise<number | null> {
    const collection = this.facts.readModels.collection<ChannelMessageDocument>(messages, MESSAGES);
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const filter = { channelId, topicKey, sentPosition: { $lt: before } };
      const page = await collection.find(filter, { sort: { sentPosition: -1 }, limit: SMALL_PAGE });
      const seen = page.find((message) => mayRead(reader, message, this.facts.directory));
      if (seen) return seen._id;
      const last = page.at(-1);
      if (!last || page.length < SMALL_PAGE) return null;
      before = last.sentPosition;
    }
  }
}
