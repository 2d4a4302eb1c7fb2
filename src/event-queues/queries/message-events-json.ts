import {
  type ClientEventDocument,
  type ClientEventOf,
  positionOf,
} from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { DeletedMessageDocument } from '../../../projections/message-life.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Position } from '../../kernel/position.js';
import type { Journeys } from '../../messages/queries/journeys.js';
import { messageFlags } from '../../messages/queries/message-flags.js';
import { type MessageRecordOptions, messageRecord } from '../../messages/queries/message-record.js';
import { asItWasSent, withWordsOf } from '../../messages/queries/message-words.js';
import type { AlertWordHistory } from '../../personal/queries/alert-words.js';
import type { MuteHistory } from '../../read-state/queries/muted-senders.js';
import { OwnFlags } from '../../read-state/queries/own-flags.js';
import type { ReadState } from '../../read-state/queries/read-state.js';
import { isOfUnflagging, type UnflaggingEvent, unflaggedBody } from './flags-json.js';
import { hadAccess, isOfMessageLife, type MessageLifeEvent, shownName } from './message-access.js';
import { deletionBody, reactionBody, updateBody } from './message-change-json.js';
import { messageBody } from './message-json.js';
import { isOfMove, knowsAll, type MovedMessages, type MoveEvent } from './moved-messages.js';
import { anchorOf, idsLost, idsTold, losesThem, lostBodies, movedBody, readBody } from './moves-json.js';
import { PerVariant } from './per-variant.js';
import { withId } from './with-id.js';

/** What the events' own documents do not say of the messages that they are about. */
export interface MessageFacts {
  readonly byId: ReadonlyMap<number, MessageDocument>;
  /** Those of them that are gone. */
  readonly deleted: ReadonlyMap<number, DeletedMessageDocument>;
  /** By the position of the move. */
  readonly moved: ReadonlyMap<Position, MovedMessages>;
  /** Of messages that an event tells to be unread, where. */
  readonly journeys: Journeys;
  /** The reader's, where an event tells all flags of a message. */
  readonly readState: ReadState;
  /** The reader's. */
  readonly alertWords: AlertWordHistory;
  /** The reader's, where messages come. */
  readonly mutes: MuteHistory;
}

export type MessageEvent = ClientEventOf<'message'> | MessageLifeEvent | UnflaggingEvent | MoveEvent;

export const isOfMessages = (event: ClientEventDocument): event is MessageEvent =>
  event.kind === 'message' || isOfMessageLife(event) || isOfUnflagging(event) || isOfMove(event);

/** Whose queue it is that events leave for. */
interface Leaving {
  readonly reader: UserRecord;
  readonly queue: EventQueueDocument;
  readonly variant: MessageRecordOptions;
  /** The newest id that the client has. */
  readonly after: number;
}

/** Events about messages, as they leave. */
export class MessageEventsJson {
  private readonly messages = new PerVariant<MessageDocument>();
  private readonly moves = new PerVariant<MoveEvent>();

  constructor(private readonly directory: Directory) {}

  /** One JSON text for each event that says something to the queue. */
  of(event: MessageEvent, facts: MessageFacts, leaving: Leaving): string[] {
    if (isOfMove(event)) return this.moved(event, facts, leaving);
    const body = this.bodyOf(event, facts, leaving);
    return body === null ? [] : [withId(body, event._id)];
  }

  private bodyOf(event: Exclude<MessageEvent, MoveEvent>, facts: MessageFacts, leaving: Leaving): string | null {
    const { reader, variant } = leaving;
    if (isOfUnflagging(event))
      return unflaggedBody(event, facts.byId, facts.journeys, reader, this.directory, variant.allowEmptyTopicName);
    if (event.kind !== 'message') return this.lifeBody(event, facts, leaving);
    const message = facts.byId.get(event.payload.messageId);
    if (!message) throw new Error(`message ${event.payload.messageId} leaves without its document`);
    // How it was sent: what has become of it since is told by the events that follow, to those who still have it then.
    const sent = asItWasSent(message);
    const hidesChannel = sent.type === 'channel' && shownName(reader, sent.channelId, this.directory) === null;
    const options = { ...variant, hidesChannel };
    const record = (): string =>
      this.messages.get(message, options, () => JSON.stringify(messageRecord(sent, options, this.directory)));
    return messageBody(event, message, record, reader, leaving.queue, facts, this.directory);
  }

  /** Of a message that is gone, only that it went is told: what came before is nobody's any more. */
  private lifeBody(
    event: MessageLifeEvent,
    { byId, deleted, ...own }: MessageFacts,
    { reader, queue }: Leaving,
  ): string | null {
    const { messageId } = event.payload;
    if (event.kind === 'delete_message') {
      const gone = deleted.get(messageId);
      if (!gone || !hadAccess(reader._id, event, gone, this.directory)) return null;
      return JSON.stringify(deletionBody(event, queue));
    }
    const message = byId.get(messageId);
    if (!message || !hadAccess(reader._id, event, message, this.directory)) return null;
    if (event.kind !== 'update_message') return JSON.stringify(reactionBody(event, this.directory));
    const { place } = event.payload;
    const facts = {
      channelName: place.type === 'channel' ? shownName(reader, place.channelId, this.directory) : null,
      tellsPast: this.directory.setting('message_edit_history_visibility_policy') === 'all',
    };
    const body = this.messages.get(message, { event: event._id, ...facts }, () =>
      JSON.stringify(updateBody(event, message, facts)),
    );
    const edited = withWordsOf(message, event.payload.contentRevision, positionOf(event._id));
    return this.withFlags(body, edited, reader, own);
  }

  private moved(event: MoveEvent, { byId, moved, ...facts }: MessageFacts, leaving: Leaving): string[] {
    const { reader, queue, variant, after } = leaving;
    const messages = moved.get(positionOf(event._id));
    if (!messages) throw new Error(`the move ${event._id} leaves without its messages`);
    const { directory } = this;
    const isLost = losesThem(reader._id, event, directory);
    if (isLost !== (event.kind === 'delete_message/moved')) return [];
    if (event.kind === 'delete_message/moved') {
      const bodies = lostBodies(event, idsLost(reader._id, event, messages, directory), queue);
      return bodies.flatMap(({ id, body }) => (id > after ? [withId(JSON.stringify(body), id)] : []));
    }
    const ids = idsTold(reader._id, event, messages, directory);
    if (ids.length === 0) return [];
    if (event.kind === 'update_message_flags/moved') {
      // Where they are, they are what they were.
      if (directory.wasSubscribed(reader._id, event.payload.to.channelId, positionOf(event._id))) return [];
      return [withId(JSON.stringify(readBody(ids)), event._id)];
    }
    const { allowEmptyTopicName } = variant;
    const channelName = shownName(reader, event.payload.from.channelId, directory);
    const write = (): string => JSON.stringify(movedBody(event, ids, allowEmptyTopicName, channelName, directory));
    // Who knows of all of them is told the same.
    const isSame = knowsAll(reader._id, event, directory);
    const body = isSame ? this.moves.get(event, { allowEmptyTopicName, channelName, ids: ids.length }, write) : write();
    const message = byId.get(anchorOf(event.payload, ids) ?? 0);
    return [withId(this.withFlags(body, message, reader, facts), event._id)];
  }

  /** @param body a JSON object that is not empty */
  private withFlags(
    body: string,
    message: MessageDocument | undefined,
    reader: UserRecord,
    { readState, alertWords }: Pick<MessageFacts, 'readState' | 'alertWords'>,
  ): string {
    const own = new OwnFlags(reader, readState, this.directory, alertWords);
    const flags = message ? messageFlags(reader, message, own, this.directory) : [];
    return `${body.slice(0, -1)},"flags":${JSON.stringify(flags)}}`;
  }
}
