import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { messages } from '../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../projections/runner/read-models.js';
import { TOPICS, type TopicDocument, topicId } from '../../projections/topic-documents.js';
import { type Batch, EVENT_STORE, type EventStore } from '../event-store/event-store.js';
import { followLog } from '../event-store/follow-log.js';
import { type Position, START } from '../kernel/position.js';
import { Directory } from './directory.js';

/** Another message may become the oldest of a topic, whose spelling is the topic's. */
const CHANGES = ['MessagesMoved', 'MessageDeleted'];

const MOST_REMEMBERED = 10_000;

/**
 * Topics as whoever began them has written them. Nearly every message goes to a topic that another one has gone to
 * before: its spelling is remembered until an event comes that might change any.
 */
@Injectable()
export class TopicSpellings implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Topics');
  private readonly stopping = new AbortController();
  private readonly remembered = new Map<string, string>();
  private following: Promise<void> = Promise.resolve();
  private position: Position = START;
  /** What documents say is remembered if they are as of this position or a later one: null until the log is followed. */
  private changedAt: Position | null = null;

  constructor(
    private readonly directory: Directory,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  onApplicationBootstrap(): void {
    this.position = this.directory.position;
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
   * Never older than the documents that this process knows of. Topics match without regard to case.
   *
   * @returns null where nobody has begun it
   * @throws UnavailableError where there are no documents, DocumentStoreUnavailable
   */
  async first(channelId: number, topic: string): Promise<string | null> {
    this.readModels.collection(messages, TOPICS);
    const asOf = this.readModels.position(messages);
    const _id = topicId(channelId, topic);
    const known = this.position >= asOf ? this.remembered.get(_id) : undefined;
    if (known !== undefined) return known;
    const found = await firstSpelling(this.readModels, channelId, topic);
    if (found !== null && this.changedAt !== null && asOf >= this.changedAt) this.remember(_id, found);
    return found;
  }

  private remember(_id: string, name: string): void {
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(_id, name);
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

/** As its document says. @throws UnavailableError where there are no documents, DocumentStoreUnavailable */
export async function firstSpelling(readModels: ReadModels, channelId: number, topic: string): Promise<string | null> {
  const _id = topicId(channelId, topic);
  const found = await readModels.collection<TopicDocument>(messages, TOPICS).findOne({ _id });
  return found?.name ?? null;
}
