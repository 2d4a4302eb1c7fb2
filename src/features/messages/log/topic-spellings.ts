import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { TOPICS, type TopicDocument } from '../../../../projections/messages/topic-documents.js';
import { Facts } from '../../../directory/facts.js';
import { topicId } from '../../../events/messages/topics.events.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { type Batch, EVENT_STORE, type EventStore } from '../../../platform/log/event-store.js';
import { followLog } from '../../../platform/log/follow-log.js';
import { type ReadModels } from '../../../platform/read-models/read-models.js';

/** Events after which another message may be the oldest of a topic. The oldest one's spelling is the topic's. */
const CHANGES = ['MessagesMoved', 'MessageDeleted'];

const MOST_REMEMBERED = 10_000;

/**
 * Spellings of topics as their first messages have them. Nearly every message goes to an existing topic: its spelling
 * is remembered until an event may change a spelling.
 */
@Injectable()
export class TopicSpellings implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Topics');
  private readonly stopping = new AbortController();
  private readonly remembered = new LruMap<string, string>(MOST_REMEMBERED);
  private following: Promise<void> = Promise.resolve();
  private position: Position = START;
  /** Spellings from documents of this position or later may be remembered; null until the log is followed. */
  private changedAt: Position | null = null;

  constructor(
    private readonly facts: Facts,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
  ) {}

  onApplicationBootstrap(): void {
    this.position = this.facts.directory.position;
    this.changedAt = this.position;
    this.following = followLog(this.eventStore, {
      after: () => this.position,
      filter: { types: CHANGES },
      signal: this.stopping.signal,
      deliver: async (batch) => this.deliver(batch),
      interrupted: (error) => this.log.error(`the log cannot be followed, trying again: ${String(error)}`),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  /**
   * The spelling of a topic, never older than the documents that this process knows of. Topics match without regard to
   * case.
   *
   * @returns null if the topic has no message
   * @throws UnavailableError if there are no documents; DocumentStoreUnavailable
   */
  async first(channelId: number, topic: string): Promise<string | null> {
    this.facts.readModels.collection(messages, TOPICS);
    const asOf = this.facts.readModels.position(messages);
    const _id = topicId(channelId, topic);
    const known = this.position >= asOf ? this.remembered.get(_id) : undefined;
    if (known !== undefined) return known;
    const found = await firstSpelling(this.facts.readModels, channelId, topic);
    if (found !== null && this.changedAt !== null && asOf >= this.changedAt) this.remembered.set(_id, found);
    return found;
  }

  private deliver({ events, position }: Batch): void {
    const last = events.at(-1);
    if (last) {
      this.changedAt = last.position;
      this.remembered.clear();
    }
    this.position = position;
  }
}

/**
 * The spelling in the topic's document.
 * @throws UnavailableError if there are no documents; DocumentStoreUnavailable
 */
export async function firstSpelling(readModels: ReadModels, channelId: number, topic: string): Promise<string | null> {
  const _id = topicId(channelId, topic);
  const found = await readModels.collection<TopicDocument>(messages, TOPICS).findOne({ _id });
  return found?.name ?? null;
}
