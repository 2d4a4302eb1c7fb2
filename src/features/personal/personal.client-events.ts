import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { mutedTopics, userTopic } from '../../../projections/client-events/personal.js';
import { personal } from '../../../projections/personal/personal.projection.js';
import { Facts } from '../../directory/facts.js';
import {
  type ClientEventWriter,
  type ServedQueue,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { PerVariant } from '../event-queues/queries/per-variant.js';
import { topicPoliciesOf } from './queries/personal.queries.js';
import { mutedTopicsForClients, userTopicForClients } from './queries/topics-for-clients.js';

@WritesClientEvents()
export class TopicPolicyClientEvents implements ClientEventWriter {
  readonly kinds = [mutedTopics, userTopic];
  private readonly texts = new PerVariant<ClientEventDocument>();

  constructor(private readonly facts: Facts) {}

  async prepare(events: readonly ClientEventDocument[], { reader, variant }: ServedQueue): Promise<WriteBody> {
    const muted = await this.mutedAsOf(events.findLast(mutedTopics.is), reader._id);
    return (event) => {
      if (userTopic.is(event))
        return this.texts.get(event, variant, () =>
          JSON.stringify({ type: 'user_topic', ...userTopicForClients(event.payload, variant) }),
        );
      const muted_topics = mutedTopicsForClients(muted, reader, variant, this.facts.directory);
      return JSON.stringify({ type: 'muted_topics', muted_topics });
    };
  }

  /** The policies as they are now, as of the event or later. */
  private async mutedAsOf(event: ClientEventDocument | undefined, userId: number) {
    if (!event) return [];
    await this.facts.readModels.waitFor([personal], positionOf(event._id));
    return topicPoliciesOf(this.facts.readModels, userId);
  }
}
