import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { attachments } from '../../../projections/attachments.projection.js';
import {
  type ClientEventDocument,
  lastIdAt,
  positionOf,
  typeOf,
} from '../../../projections/client-events.documents.js';
import { drafts } from '../../../projections/drafts.projection.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import { messages } from '../../../projections/messages.projection.js';
import { personal } from '../../../projections/personal.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import { draftsById } from '../../drafts/queries/drafts-for-clients.js';
import { refuse } from '../../kernel/domain-error.js';
import { journeysOf } from '../../messages/queries/journeys.js';
import { type AlertWordHistory, AlertWords, NO_ALERT_WORDS } from '../../personal/queries/alert-words.js';
import { topicPoliciesOf } from '../../personal/queries/personal-lists.js';
import { type MuteHistory, NO_MUTES } from '../../read-state/queries/muted-senders.js';
import { ReadState } from '../../read-state/queries/read-state.js';
import { ReadStates } from '../../read-state/queries/read-states.js';
import { attachmentsById } from '../../uploads/queries/attachments-for-clients.js';
import { isOfAttachment } from './attachment-json.js';
import { isFor, isPublicMessageFor } from './audience.js';
import { ClientEventFeed } from './client-event-feed.js';
import { isOfDrafts } from './drafts-json.js';
import { EphemeralTail } from './ephemeral-tail.js';
import { type EventFacts, EventJson } from './event-json.js';
import { idsToldWith, isOfUnflagging } from './flags-json.js';
import { LiveQueues } from './live-queues.js';
import { isOfMessageLife } from './message-access.js';
import { MessageDocuments } from './message-documents.js';
import { MovedMessagesLookUp } from './moved-messages.js';
import { anchorOf, idsTold } from './moves-json.js';
import { QueueActivity } from './queue-activity.js';
import type { QueueFilter } from './queue-filter.js';
import { QUEUE_SETTINGS, type QueueSettings } from './queue-settings.js';
import { type WaitingPoll, WaitingPolls } from './waiting-polls.js';

/** Whoever waits for the answer. */
export interface Asker {
  readonly isGone: boolean;
  /** Called when nobody wants the answer any more, and perhaps when it has been given. */
  onGone(listener: () => void): void;
}

export class GetEvents {
  constructor(
    readonly queueId: string,
    readonly userId: number,
    /** What the client has; null: nothing yet. */
    readonly lastEventId: number | null,
    readonly dontBlock: boolean,
    readonly asker: Asker,
  ) {}
}

/** JSON texts of the events that follow what the client has; none where it does not wait and there are none. */
export type EventTexts = readonly string[];

interface Woken {
  readonly events: readonly ClientEventDocument[];
  /** Every event up to this id has been considered. */
  readonly through: number;
}

/** A queue is a cursor over the feed and a filter (D10); the cursor is what its client says it has. */
@QueryHandler(GetEvents)
export class GetEventsHandler implements IQueryHandler<GetEvents, EventTexts> {
  constructor(
    private readonly directory: Directory,
    private readonly queues: LiveQueues,
    private readonly feed: ClientEventFeed,
    private readonly waiting: WaitingPolls,
    private readonly ephemeral: EphemeralTail,
    private readonly messageDocuments: MessageDocuments,
    private readonly movedMessages: MovedMessagesLookUp,
    private readonly json: EventJson,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    private readonly activity: QueueActivity,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
  ) {}

  /** @throws DomainError BAD_EVENT_QUEUE_ID, USER_DEACTIVATED; UnavailableError, DocumentStoreUnavailable */
  async execute(query: GetEvents): Promise<EventTexts> {
    const { queueId } = query;
    const { queue, isWanted } = await this.queues.own(queueId, query.userId);
    const cursor = Math.max(query.lastEventId ?? -1, lastIdAt(queue.startsAfter));
    const passes: QueueFilter = (event) => event._id > cursor && isWanted(event);
    // 1. The older of two polls on one queue is let go: its client asks again.
    this.waiting.release(queueId);
    await this.feed.catchUp();
    let from = await this.activity.asked(queueId, cursor);
    if (!(await this.feed.reachesBackTo(from))) refuse('BAD_EVENT_QUEUE_ID', { queue_id: queueId });

    for (;;) {
      // 2. What there is already, a page at a time: between pages, others have their turn.
      const page = await this.feed.after(from);
      const found = page.events.filter((event) => this.isTheirs(queue, event) && passes(event));
      from = page.through;
      if (found.length > 0) {
        const texts = await this.texts(queue, found, cursor);
        if (texts.length > 0) return [...this.ephemeralTexts(query, queue, cursor), ...texts];
      }
      if (from < this.feed.end) {
        await nextTurn();
        continue;
      }
      this.activity.lookedThrough(queueId, { after: cursor, through: from });
      const ephemeral = this.ephemeralTexts(query, queue, cursor);
      if (query.dontBlock || ephemeral.length > 0) return ephemeral;

      // 3. What comes: nothing can, between the last look and this.
      const woken = await this.wait(queue, passes, query.asker);
      if (woken === 'nudged') continue;
      if (woken.events.length === 0) {
        this.activity.lookedThrough(queueId, { after: cursor, through: woken.through });
        return [heartbeat(cursor)];
      }
      const texts = await this.texts(queue, woken.events, cursor);
      if (texts.length > 0) return [...this.ephemeralTexts(query, queue, cursor), ...texts];
      from = woken.through;
    }
  }

  private isTheirs(queue: EventQueueDocument, event: ClientEventDocument): boolean {
    const { userId, allPublicChannels } = queue;
    if (isFor(userId, event, this.directory)) return true;
    return allPublicChannels && isPublicMessageFor(userId, event, this.directory);
  }

  /** Events about messages that are gone, or whose words are, are nobody's any more. */
  private async texts(
    queue: EventQueueDocument,
    events: readonly ClientEventDocument[],
    cursor: number,
  ): Promise<EventTexts> {
    if (!this.directory.user(queue.userId)?.isActive) refuse('USER_DEACTIVATED');
    const idsOf = (isWanted: (kind: ClientEventDocument['kind']) => boolean): number[] =>
      events.flatMap((event) => {
        if (!isWanted(event.kind)) return [];
        if (isOfUnflagging(event)) return idsToldWith(event);
        return event.kind === 'message' || isOfMessageLife(event) ? [event.payload.messageId] : [];
      });
    const told = await this.messageDocuments.byIds(idsOf((kind) => kind !== 'delete_message'));
    const deleted = await this.messageDocuments.deletedByIds(idsOf((kind) => kind === 'delete_message'));
    // After the messages: what has not been told because it is gone is not told to have moved, either.
    const moved = await this.movedMessages.of(events, queue.userId);
    const byId = new Map([...told, ...(await this.messageDocuments.byIds(this.namedIn(events, moved, queue)))]);
    const left = events.filter((event) => event.kind !== 'message' || byId.has(event.payload.messageId));
    const firstIds = await this.firstIds(left);
    const tellsMuted = left.findLast(({ kind }) => kind === 'muted_topics');
    const topicPolicies = tellsMuted ? await this.topicPolicies(queue, tellsMuted) : [];
    const readState = await this.flagsToldIn(left, queue);
    const alertWords = await this.alertWordsOf(left, queue);
    const mutes = await this.mutesOf(left, queue);
    const files = await this.filesToldOf(left);
    const unread = left.filter(isOfUnflagging).flatMap(idsToldWith);
    const journeys = await journeysOf(
      unread.flatMap((id) => byId.get(id) ?? []),
      this.readModels,
    );
    const own = { readState, alertWords, mutes, topicPolicies, drafts: await this.draftsToldOf(left, queue) };
    const facts = { byId, deleted, moved, journeys, firstIds, attachments: files };
    return this.json.of(queue, left, { ...facts, ...own }, cursor);
  }

  /** The one message of each move whose flags it tells. */
  private namedIn(
    events: readonly ClientEventDocument[],
    moved: EventFacts['moved'],
    { userId }: EventQueueDocument,
  ): number[] {
    return events.flatMap((event) => {
      const messages = event.kind === 'update_message/moved' && moved.get(positionOf(event._id));
      if (!messages) return [];
      return anchorOf(event.payload, idsTold(userId, event, messages, this.directory)) ?? [];
    });
  }

  /** As they are now, where an event tells all flags of a message. */
  private flagsToldIn(events: readonly ClientEventDocument[], { userId }: EventQueueDocument): Promise<ReadState> {
    const last = events.findLast(
      ({ kind }) => typeOf(kind) === 'update_message' || kind === 'update_message_flags/moved',
    );
    return last ? this.readStates.of(userId, positionOf(last._id)) : Promise.resolve(ReadState.none(userId));
  }

  /** Known as far as the newest of the words that the events tell. */
  private async alertWordsOf(
    events: readonly ClientEventDocument[],
    { userId }: EventQueueDocument,
  ): Promise<AlertWordHistory> {
    const last = events.findLast(({ kind }) => kind === 'message' || typeOf(kind) === 'update_message');
    return last ? this.alertWords.of(userId, positionOf(last._id)) : NO_ALERT_WORDS;
  }

  /** Known as far as the newest message that comes. */
  private async mutesOf(events: readonly ClientEventDocument[], { userId }: EventQueueDocument): Promise<MuteHistory> {
    const last = events.findLast(({ kind }) => kind === 'message');
    return last ? this.readStates.mutesOf(userId, positionOf(last._id)) : NO_MUTES;
  }

  /** Their id is what the client has, like a heartbeat's; they come first, so that ids ascend. Lost where nobody asks. */
  private ephemeralTexts({ asker }: GetEvents, queue: EventQueueDocument, cursor: number): EventTexts {
    if (asker.isGone) return [];
    return this.ephemeral.take(queue).map((body) => JSON.stringify({ ...body, id: cursor }));
  }

  /** As they are now, which is at or after the event. */
  private async topicPolicies({ userId }: EventQueueDocument, { _id }: ClientEventDocument) {
    await this.readModels.waitFor([personal], positionOf(_id));
    return topicPoliciesOf(this.readModels, userId);
  }

  /** As they are now, which is at or after the events. */
  private async filesToldOf(events: readonly ClientEventDocument[]): Promise<EventFacts['attachments']> {
    const about = events.filter(isOfAttachment);
    const last = about.at(-1);
    if (!last) return new Map();
    await this.readModels.waitFor([attachments, messages], positionOf(last._id));
    return attachmentsById(
      about.map(({ payload }) => payload.attachmentId),
      this.readModels,
    );
  }

  /** As they are now, which is at or after the events. */
  private async draftsToldOf(
    events: readonly ClientEventDocument[],
    { userId }: EventQueueDocument,
  ): Promise<EventFacts['drafts']> {
    const about = events.filter(isOfDrafts);
    const last = about.at(-1);
    if (!last) return new Map();
    await this.readModels.waitFor([drafts], positionOf(last._id));
    return draftsById(
      userId,
      about.flatMap(({ payload }) => payload.draftIds),
      this.readModels,
    );
  }

  private async firstIds(events: readonly ClientEventDocument[]): Promise<EventFacts['firstIds']> {
    const found = new Map<number, ReadonlyMap<number, number>>();
    for (const { _id, kind } of events) {
      if (kind !== 'stream/gained') continue;
      const channelIds = this.directory.allChannels().map((channel) => channel._id);
      found.set(_id, await this.messageDocuments.firstIn(channelIds, positionOf(_id)));
    }
    return found;
  }

  /** Until events come, or none for so long that the client is told so, or nobody waits any more. */
  private wait(queue: EventQueueDocument, passes: QueueFilter, asker: Asker): Promise<Woken | 'nudged'> {
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
      if (asker.isGone) letGo();
      else asker.onGone(letGo);
    });
  }
}

/** Its id is what the client has: acknowledging it skips nothing. */
const heartbeat = (lastEventId: number): string => JSON.stringify({ type: 'heartbeat', id: lastEventId });
