import { type FactoryProvider, Logger } from '@nestjs/common';
import {
  type ClientEventDocument,
  lastIdAt,
  lastIdWithHead,
  positionOf,
} from '../../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import type { RetentionDocument } from '../../../../projections/client-events/client-events.retention.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import { DirectoryFollower } from '../../../directory/directory-follower.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { ClientEventTexts } from './client-event-texts.js';
import { type FeedPage, FeedTail } from './feed-tail.js';
import { type FeedAudience, WaitingPolls } from './waiting-polls.js';

/** Events read at once, at most. */
const PAGE = 500;
/** Keeps the newest events this long after the last poll, for clients between two polls. */
const LINGER_MS = 60_000;

/**
 * The feed of client events for every queue of this process. It ends at the least position of three: the feed's documents,
 * the messages that they name, and the directory, which knows the audiences. Each new event is read once for all polls.
 */
export class ClientEventFeed {
  private readonly tail: FeedTail;
  private position: Position = START;
  private advancing: Promise<void> | null = null;
  private lastAskedAt = Number.NEGATIVE_INFINITY;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly readModels: ReadModels,
    private readonly directory: Pick<Directory, 'position'>,
    private readonly follower: Pick<DirectoryFollower, 'head' | 'waitFor' | 'onApplied'>,
    private readonly onFailure: (error: unknown) => void,
    private readonly audience: FeedAudience,
    tailSize = 10_000,
  ) {
    this.tail = new FeedTail(tailSize);
  }

  onApplicationBootstrap(): void {
    const onward = (): void => void this.catchUp().catch(this.onFailure);
    this.stops.push(
      this.readModels.onApplied(clientEvents, onward),
      this.readModels.onApplied(messages, onward),
      this.follower.onApplied(onward),
    );
    onward();
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops.splice(0)) stop();
  }

  /** Events up to this id can be delivered. */
  get end(): number {
    return this.tail.end;
  }

  /**
   * Resolves when every event that the feed held at the call can be delivered, or the messages or the directory are too
   * far behind to wait for.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  catchUp(): Promise<void> {
    if (this.readModels.position(clientEvents) <= this.position) return Promise.resolve();
    this.advancing ??= this.advance();
    return this.advancing;
  }

  /**
   * The next page of events after an id. `through` is the feed's end if no event follows.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async after(id: number): Promise<FeedPage> {
    this.lastAskedAt = Date.now();
    const held = this.tail.after(id, PAGE);
    if (held) return held;
    const upTo = this.tail.end;
    await this.readModels.waitFor([clientEvents], positionOf(upTo));
    const page = await this.stored(id, upTo);
    if (page.through === id) throw new UnavailableError('the feed is being rebuilt and behind its earlier end');
    return page;
  }

  /**
   * Whether the feed still has every event after this id.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async reachesBackTo(id: number): Promise<boolean> {
    if (this.tail.reachesBackTo(id)) return true;
    const retention = this.readModels.collection<RetentionDocument>(clientEvents, 'retention');
    const found = await retention.findOne({ _id: 'retention' });
    return found === null || id >= found.forgottenThrough;
  }

  /** Whether a client can have this id. It is beyond a log that was restored from a backup. @throws EventStoreUnavailable */
  async canBeKnown(id: number): Promise<boolean> {
    return id <= this.end || id <= lastIdWithHead(await this.follower.head());
  }

  private async advance(): Promise<void> {
    try {
      for (;;) {
        const applied = this.readModels.position(clientEvents);
        if (applied <= this.position) return;
        await Promise.all([this.readModels.waitFor([messages], applied), this.follower.waitFor(applied)]);
        const reached = Math.min(applied, this.readModels.position(messages), this.directory.position);
        if (reached <= this.position) return;
        await this.advanceTo(reached);
        this.position = positionOf(this.tail.end);
      }
    } finally {
      this.advancing = null;
    }
  }

  /** Advances to `reached`, or less far if a switch to rebuilt documents has set them back. */
  private async advanceTo(reached: Position): Promise<void> {
    const end = lastIdAt(reached);
    if (this.audience.isEmpty && Date.now() - this.lastAskedAt > LINGER_MS) {
      this.tail.restart(end);
      return;
    }
    while (this.tail.end < end) {
      const page = await this.stored(this.tail.end, end);
      if (page.through <= this.tail.end) return;
      this.tail.append(page);
      if (page.events.length > 0) this.audience.onEvents(page.events);
    }
  }

  private async stored(after: number, upTo: number): Promise<FeedPage> {
    // Reads the position in the same turn as the documents: rebuilt documents may be switched in at any await.
    const end = Math.min(upTo, lastIdAt(this.readModels.position(clientEvents)));
    if (end <= after) return { events: [], through: after };
    const events = await this.readModels
      .collection<ClientEventDocument>(clientEvents, 'events')
      .find(
        { position: { $gte: positionOf(after), $lte: positionOf(end) }, _id: { $gt: after, $lte: end } },
        { sort: { position: 1, _id: 1 }, limit: PAGE },
      );
    const last = events.at(-1);
    return { events, through: last !== undefined && events.length === PAGE ? last._id : end };
  }
}

export const clientEventFeed: FactoryProvider<ClientEventFeed> = {
  provide: ClientEventFeed,
  inject: [READ_MODELS, Directory, DirectoryFollower, WaitingPolls, ClientEventTexts],
  useFactory: (
    readModels: ReadModels,
    directory: Directory,
    follower: DirectoryFollower,
    waiting: WaitingPolls,
    texts: ClientEventTexts,
  ) => {
    const log = new Logger('EventQueues');
    const onFailure = (error: unknown): void => log.error(`the feed cannot be read: ${String(error)}`);
    const audience: FeedAudience = {
      get isEmpty() {
        return waiting.isEmpty;
      },
      onEvents(events) {
        texts.forget(events);
        waiting.onEvents(events);
      },
    };
    return new ClientEventFeed(readModels, directory, follower, onFailure, audience);
  },
};
