import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type ClientEventDocument, lastIdAt } from '../../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../directory/directory.js';
import { ANSWER_BYTES, ByteBudget } from '../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../event-queues.settings.js';
import { ClientEventFeed } from '../services/client-event-feed.js';
import { type ClientEventText, ClientEventTexts } from '../services/client-event-texts.js';
import { EphemeralTail } from '../services/ephemeral-tail.js';
import type { FeedPage } from '../services/feed-tail.js';
import { LiveQueues } from '../services/live-queues.js';
import { QueueActivity } from '../services/queue-activity.js';
import { type WaitingPoll, WaitingPolls } from '../services/waiting-polls.js';
import { answerInOrder } from './answer-in-order.js';
import { isFor, isPublicMessageFor, type QueueFilter } from './audience.js';

/** The client's connection. */
export interface PollClient extends ClientConnection {
  /** Called when the connection closes; perhaps also after the answer was sent. */
  onDisconnect(listener: () => void): void;
  /** Leaves the client's turn to others during a wait. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
}

export class GetEvents extends Query<
  {
    queueId: string;
    userId: number;
    /** The newest id that the client has; null: none yet. */
    lastEventId: number | null;
    dontBlock: boolean;
    connection: PollClient;
  },
  EventTexts | typeof BEYOND_THE_LOG
> {}

/** The client's newest id is beyond all that anybody can have been given: the log was restored from a backup since. */
export const BEYOND_THE_LOG = 'beyond the log';

/** JSON texts of the next events, as many as an answer can have. Empty only if there are none and the client does not wait. */
type EventTexts = readonly string[];

/** Reads a queue: a cursor over the feed, which its client sends, and a filter (D10). */
@QueryHandler(GetEvents)
export class GetEventsHandler implements IQueryHandler<GetEvents> {
  constructor(
    private readonly directory: Directory,
    private readonly queues: LiveQueues,
    private readonly feed: ClientEventFeed,
    private readonly waiting: WaitingPolls,
    private readonly ephemeral: EphemeralTail,
    private readonly json: ClientEventTexts,
    private readonly activity: QueueActivity,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {}

  /** @throws DomainError BAD_EVENT_QUEUE_ID, USER_DEACTIVATED; UnavailableError, DocumentStoreUnavailable */
  async execute(query: GetEvents): Promise<EventTexts | typeof BEYOND_THE_LOG> {
    const { queueId } = query;
    const { queue, isWanted } = await this.queues.own(queueId, query.userId);
    const cursor = Math.max(query.lastEventId ?? -1, lastIdAt(queue.startsAfter));
    const passes: QueueFilter = (event) => event._id > cursor && isWanted(event);
    // 1. Answer an older poll of the same queue: its client polls again.
    this.waiting.release(queueId);
    await this.feed.catchUp();
    if (!(await this.feed.canBeKnown(cursor))) return BEYOND_THE_LOG;
    let from = await this.activity.recordPoll(queueId, cursor);
    if (!(await this.feed.reachesBackTo(from))) refuse('BAD_EVENT_QUEUE_ID', { queue_id: queueId });

    for (;;) {
      // 2. Read the events that are there, a page at a time, with a turn of the event loop for others between pages.
      const page = await this.feed.after(from);
      const found = page.events.filter((event) => this.isTheirs(queue, event) && passes(event));
      from = page.through;
      const isAtEnd = from >= this.feed.end;
      if (found.length > 0) {
        const { texts, isCut } = await this.texts(queue, found, cursor);
        const through = isCut ? (texts.at(-1)?.id ?? cursor) : from;
        const part = { texts, cursor, through, isAtEnd: isAtEnd && !isCut };
        if (texts.length > 0) return query.connection.isDisconnected ? [] : answerInOrder(part, this.ephemeral, queue);
      }
      if (!isAtEnd) {
        await nextSlice();
        if (query.connection.isDisconnected) return [];
        continue;
      }
      this.activity.recordScan(queueId, { after: cursor, through: from });
      if (query.connection.isDisconnected) return [];
      const ephemeral = answerInOrder({ texts: [], cursor, through: from, isAtEnd }, this.ephemeral, queue);
      if (query.dontBlock || ephemeral.length > 0) return ephemeral;

      // 3. Wait for new events. None can arrive between the last page and this line.
      const woken = await query.connection.outside(() => this.wait(queue, passes, query.connection));
      if (woken === 'nudged') continue;
      if (woken.events.length === 0) {
        this.activity.recordScan(queueId, { after: cursor, through: woken.through });
        return [heartbeat(cursor)];
      }
      const { texts } = await this.texts(queue, woken.events, cursor);
      // Ephemeral events wait for the next poll: more events may follow these at once.
      if (texts.length > 0) return texts.map(({ text }) => text);
      from = woken.through;
    }
  }

  private isTheirs(queue: EventQueueDocument, event: ClientEventDocument): boolean {
    const { userId, allPublicChannels } = queue;
    if (isFor(userId, event, this.directory)) return true;
    return allPublicChannels && isPublicMessageFor(userId, event, this.directory);
  }

  /** `isCut`: the answer has no room for more; the client's next poll gets the rest. */
  private async texts(
    queue: EventQueueDocument,
    events: readonly ClientEventDocument[],
    cursor: number,
  ): Promise<{ readonly texts: readonly ClientEventText[]; readonly isCut: boolean }> {
    if (!this.directory.user(queue.userId)?.isActive) refuse('USER_DEACTIVATED');
    const budget = new ByteBudget(this.answerBytes);
    const texts = await this.json.of(queue, events, cursor, budget);
    return { texts, isCut: budget.isSpent };
  }

  /** Resolves with events, when a heartbeat is due, or when the client disconnects. */
  private wait(queue: EventQueueDocument, passes: QueueFilter, connection: PollClient): Promise<FeedPage | 'nudged'> {
    return new Promise((resolve) => {
      const letGo = (): void => this.waiting.letGo(poll);
      const timer = setTimeout(letGo, this.settings.heartbeatAfter);
      const poll: WaitingPoll = {
        queue,
        passes,
        wake: (events) => {
          clearTimeout(timer);
          resolve({ events, through: events.at(-1)?._id ?? this.feed.end });
        },
        nudge: () => {
          clearTimeout(timer);
          resolve('nudged');
        },
      };
      this.waiting.add(poll);
      if (connection.isDisconnected) letGo();
      else connection.onDisconnect(letGo);
    });
  }
}

/** The heartbeat has the client's newest id: acknowledging it skips no event. */
const heartbeat = (lastEventId: number): string => JSON.stringify({ type: 'heartbeat', id: lastEventId });
