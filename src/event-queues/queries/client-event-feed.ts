import { type ClientEventDocument, lastIdAt, positionOf } from '../../../projections/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events.projection.js';
import type { RetentionDocument } from '../../../projections/client-events.retention.js';
import { messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import type { Directory } from '../../directory/directory.js';
import type { DirectoryFollower } from '../../directory/directory-follower.js';
import { UnavailableError } from '../../kernel/domain-error.js';
import { type Position, START } from '../../kernel/position.js';
import { type FeedPage, FeedTail } from './feed-tail.js';

/** Most events read at once. */
const PAGE = 500;
/** How long the newest events are held for queues that are between two polls. */
const LINGER_MS = 60_000;

/** Those who wait for the feed to go on. */
export interface FeedAudience {
  readonly isEmpty: boolean;
  /** The next events, in order; everything before them has been given or read. */
  onEvents(events: readonly ClientEventDocument[]): void;
}

/**
 * The feed as every queue of this process reads it. What can be delivered ends where the feed, the messages that it
 * names and the directory that knows their audiences have all come. Each new event is read once, whoever waits for it.
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
    private readonly follower: Pick<DirectoryFollower, 'waitFor' | 'onApplied'>,
    private readonly onFailure: (error: unknown) => void,
    /** Whoever waits for what comes next. */
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

  /** Everything up to this id can be delivered. */
  get end(): number {
    return this.tail.end;
  }

  /**
   * Resolves when all that the feed held at the time of the call can be delivered, or its messages and the directory
   * are too far behind to wait for.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  catchUp(): Promise<void> {
    if (this.readModels.position(clientEvents) <= this.position) return Promise.resolve();
    this.advancing ??= this.advance();
    return this.advancing;
  }

  /**
   * The next events after an id, in bounded pages; `through` is the feed's end when nothing follows.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async after(id: number): Promise<FeedPage> {
    this.lastAskedAt = Date.now();
    const held = this.tail.after(id, PAGE);
    if (held) return held;
    const upTo = this.tail.end;
    await this.readModels.waitFor([clientEvents], positionOf(upTo));
    const page = await this.stored(id, upTo);
    if (page.through === id) throw new UnavailableError('the feed has yet to come back to where it was');
    return page;
  }

  /**
   * Whether every event after this id is still kept.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async reachesBackTo(id: number): Promise<boolean> {
    if (this.tail.reachesBackTo(id)) return true;
    const retention = this.readModels.collection<RetentionDocument>(clientEvents, 'retention');
    const found = await retention.findOne({ _id: 'retention' });
    return found === null || id >= found.forgottenThrough;
  }

  private async advance(): Promise<void> {
    try {
      for (;;) {
        const applied = this.readModels.position(clientEvents);
        if (applied <= this.position) return;
        await Promise.all([this.readModels.waitFor([messages], applied), this.follower.waitFor(applied)]);
        const reached = Math.min(applied, this.readModels.position(messages), this.directory.position);
        if (reached <= this.position) return;
        await this.take(reached);
        this.position = positionOf(this.tail.end);
      }
    } finally {
      this.advancing = null;
    }
  }

  /** Goes as far as `reached`, or as far as the documents do that have been switched in meanwhile. */
  private async take(reached: Position): Promise<void> {
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
    // The position and the documents are those of one moment: a rebuilt set may be switched in at any other.
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
