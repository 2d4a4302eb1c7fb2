import type { ClientEventOf } from '../../../projections/client-events/client-event.js';
import {
  type ClientEventDocument,
  positionOf,
  typeOf,
} from '../../../projections/client-events/client-events.documents.js';
import {
  messageDelete,
  message as messageKind,
  messageUpdate,
  reactionAdd,
  reactionRemove,
} from '../../../projections/client-events/messages.js';
import { messagesMoved, movedAway, movedFlags } from '../../../projections/client-events/moves.js';
import type { DeletedMessageDocument } from '../../../projections/messages/message-events.js';
import type { MessageDocument } from '../../../projections/messages/messages.projection.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { topicForClients } from '../../events/messages/topic-name.js';
import type { Position } from '../../platform/kernel/position.js';
import {
  type ClientEventWriter,
  type NumberedBody,
  type ServedQueue,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { PerVariant } from '../event-queues/queries/per-variant.js';
import { messageFlags } from '../message-flags/queries/message-flags.js';
import { type MuteHistory, NO_MUTES } from '../message-flags/queries/muted-senders.js';
import { OwnFlags } from '../message-flags/queries/own-flags.js';
import { ReadState } from '../message-flags/queries/read-state.js';
import { ReadStates } from '../message-flags/services/read-states.js';
import { type AlertWordHistory, AlertWords, NO_ALERT_WORDS } from '../personal/services/alert-words.js';
import { contentBody, deletionBody, flagsBody, reactionBody, updateBody } from './client-events/change-bodies.js';
import { hadAccess, isMessageChangeEvent, knownName, type MessageChangeEvent } from './client-events/message-access.js';
import { messageBody } from './client-events/message-body.js';
import { MessageDocuments } from './client-events/message-documents.js';
import { MessageNarrowing } from './client-events/message-narrowing.js';
import { anchorOf, losesAccess, lostBodies, lostIds, movedBody, visibleIds } from './client-events/move-bodies.js';
import {
  isOfMove,
  knowsAll,
  type MovedMessages,
  MovedMessagesLookUp,
  type MoveEvent,
} from './client-events/moved-messages.js';
import { placesOfUnread, unreadAgain } from './client-events/unread-again.js';
import { asItWasSent, withContentAtRevision } from './queries/records/message-content.js';
import { messageRecord } from './queries/records/message-record.js';
import { MessageRows } from './services/message-rows.js';

/** Facts about the messages of some events, beyond the events' own documents. */
interface MessageFacts {
  readonly byId: ReadonlyMap<number, MessageDocument>;
  /** The deleted ones, by id. */
  readonly deleted: ReadonlyMap<number, DeletedMessageDocument>;
  /** The messages that each move took, by the position of the move. */
  readonly moved: ReadonlyMap<Position, MovedMessages>;
  /** Positions of edits that the event of a move tells: one request made both. */
  readonly toldByMoves: ReadonlySet<Position>;
  /** Messages that came back to the reader unread, by the position of their move. */
  readonly unreadAgain: ReadonlyMap<Position, readonly MessageDocument[]>;
  /** The reader's; empty if no event sends the flags of a message. */
  readonly readState: ReadState;
  /** The reader's; empty if no event has flags that depend on them. */
  readonly alertWords: AlertWordHistory;
  /** The reader's; empty if no event is a new message. */
  readonly mutes: MuteHistory;
}

const NOTHING_ELSE = { deleted: new Map(), moved: new Map(), toldByMoves: new Set<Position>(), unreadAgain: new Map() };

type WrittenEvent = ClientEventOf<typeof messageKind> | MessageChangeEvent | MoveEvent;

/** Writes client events about messages. Events about messages that are deleted, or whose content is, go to nobody. */
@WritesClientEvents()
export class MessageClientEvents implements ClientEventWriter {
  readonly kinds = [
    messageKind,
    messageUpdate,
    messageDelete,
    reactionAdd,
    reactionRemove,
    messagesMoved,
    movedFlags,
    movedAway,
  ];
  private readonly messages = new PerVariant<MessageDocument>();
  private readonly moves = new PerVariant<MoveEvent>();
  /** Messages as they were sent, made once for all queues. */
  private readonly sent = new WeakMap<MessageDocument, MessageDocument>();

  constructor(
    private readonly directory: Directory,
    private readonly documents: MessageDocuments,
    private readonly movedMessages: MovedMessagesLookUp,
    private readonly readStates: ReadStates,
    private readonly alertWords: AlertWords,
    private readonly rows: MessageRows,
    readonly narrowing: MessageNarrowing,
  ) {}

  forget(events: readonly ClientEventDocument[]): void {
    this.documents.forget(events);
  }

  async prepare(events: readonly ClientEventDocument[], to: ServedQueue): Promise<WriteBody> {
    const facts = await (events.every(messageKind.is) ? this.factsOfNew(events, to) : this.factsOf(events, to));
    return (event) => this.written(event as WrittenEvent, facts, to);
  }

  /** Facts about new messages alone, which a thousand queues ask for at the same moment. */
  private async factsOfNew(
    events: readonly ClientEventOf<typeof messageKind>[],
    { reader }: ServedQueue,
  ): Promise<MessageFacts> {
    const byId = await this.documents.byIds(events.map(({ payload }) => payload.messageId));
    const alertWords = await this.alertWordsFor(events, reader._id);
    const mutes = await this.mutesFor(events, reader._id);
    return { ...NOTHING_ELSE, byId, readState: ReadState.none(reader._id), alertWords, mutes };
  }

  private async factsOf(events: readonly ClientEventDocument[], to: ServedQueue): Promise<MessageFacts> {
    const { _id: userId } = to.reader;
    const idsOf = (isWanted: (event: ClientEventDocument) => boolean): number[] =>
      events.flatMap((event) =>
        isWanted(event) && (messageKind.is(event) || isMessageChangeEvent(event)) ? [event.payload.messageId] : [],
      );
    const existing = await this.documents.byIds(idsOf((event) => !messageDelete.is(event)));
    const deleted = await this.documents.deletedByIds(idsOf(messageDelete.is));
    // Moves are read after the messages, so a message that was deleted before the first read is in neither.
    const moved = await this.movedMessages.of(events, userId);
    const byId = new Map([...existing, ...(await this.documents.byIds(this.anchorsIn(events, moved, userId)))]);
    const remaining = events.filter((event) => !messageKind.is(event) || byId.has(event.payload.messageId));
    const readState = await this.readStateFor(remaining, userId);
    const alertWords = await this.alertWordsFor(remaining, userId);
    const mutes = await this.mutesFor(remaining, userId);
    const { directory, rows, documents } = this;
    const again = await unreadAgain(events, to.reader, { moved, readState, directory, rows, documents });
    const toldByMoves = await this.movedMessages.edits.among(remaining);
    return { byId, deleted, moved, readState, alertWords, mutes, unreadAgain: again, toldByMoves };
  }

  /** The one message of each move whose flags the move's event sends. */
  private anchorsIn(events: readonly ClientEventDocument[], moved: MessageFacts['moved'], userId: number): number[] {
    return events.flatMap((event) => {
      if (!messagesMoved.is(event)) return [];
      const messages = moved.get(positionOf(event._id));
      if (!messages) return [];
      return anchorOf(event.payload, visibleIds(userId, event, messages, this.directory)) ?? [];
    });
  }

  /** The reader's flags as of the newest event that sends all flags of a message. */
  private readStateFor(events: readonly ClientEventDocument[], userId: number): Promise<ReadState> {
    const last = events.findLast(({ kind }) => typeOf(kind) === 'update_message' || kind === movedFlags.kind);
    return last ? this.readStates.of(userId, positionOf(last._id)) : Promise.resolve(ReadState.none(userId));
  }

  /** The reader's alert words as of the newest event whose flags depend on them. */
  private async alertWordsFor(events: readonly ClientEventDocument[], userId: number): Promise<AlertWordHistory> {
    const last = events.findLast(({ kind }) => kind === messageKind.kind || typeOf(kind) === 'update_message');
    return last ? this.alertWords.of(userId, positionOf(last._id)) : NO_ALERT_WORDS;
  }

  /** The users that the reader mutes, as of the newest new message. */
  private async mutesFor(events: readonly ClientEventDocument[], userId: number): Promise<MuteHistory> {
    const last = events.findLast(messageKind.is);
    return last ? this.readStates.mutesOf(userId, positionOf(last._id)) : NO_MUTES;
  }

  private written(event: WrittenEvent, facts: MessageFacts, to: ServedQueue): string | null | readonly NumberedBody[] {
    if (isOfMove(event)) return this.moved(event, facts, to);
    if (event.kind !== 'message') return this.changeBody(event, facts, to);
    const message = facts.byId.get(event.payload.messageId);
    return message ? this.sentBody(event, message, facts, to) : null;
  }

  private sentBody(
    event: ClientEventOf<typeof messageKind>,
    message: MessageDocument,
    facts: MessageFacts,
    { reader, queue, variant }: ServedQueue,
  ): string | null {
    // The message as it was sent: later events tell its later changes to the readers who still have access then.
    const sent = this.asSent(message);
    const hidesChannel = sent.type === 'channel' && knownName(reader, sent.channelId, this.directory) === null;
    const options = { ...variant, hidesChannel };
    const record = (): string =>
      this.messages.get(message, options, () => JSON.stringify(messageRecord(sent, options, this.directory)));
    return messageBody(event, sent, record, reader, queue, facts, this.directory);
  }

  private asSent(message: MessageDocument): MessageDocument {
    const known = this.sent.get(message);
    if (known) return known;
    const sent = asItWasSent(message);
    this.sent.set(message, sent);
    return sent;
  }

  /** Of a deleted message, only the deletion is sent: its earlier events go to nobody. */
  private changeBody(
    event: MessageChangeEvent,
    { byId, deleted, ...own }: MessageFacts,
    { reader, queue }: ServedQueue,
  ): string | null {
    const { messageId } = event.payload;
    if (event.kind === 'delete_message') {
      const deletedMessage = deleted.get(messageId);
      if (!deletedMessage || !hadAccess(reader._id, event, deletedMessage, this.directory)) return null;
      return JSON.stringify(deletionBody(event, queue));
    }
    const message = byId.get(messageId);
    if (!message || !hadAccess(reader._id, event, message, this.directory)) return null;
    if (event.kind !== 'update_message') return JSON.stringify(reactionBody(event, this.directory));
    const { place } = event.payload;
    if (place.type === 'channel' && own.toldByMoves.has(positionOf(event._id))) {
      if (this.directory.wasSubscribed(reader._id, place.channelId, positionOf(event._id))) return null;
    }
    const facts = {
      channelName: place.type === 'channel' ? knownName(reader, place.channelId, this.directory) : null,
      showsPreviousContent: this.showsPreviousContent,
    };
    const body = this.messages.get(message, { event: event._id, ...facts }, () =>
      JSON.stringify(updateBody(event, message, facts)),
    );
    const edited = withContentAtRevision(message, event.payload.contentRevision, positionOf(event._id));
    return this.withFlags(body, edited, reader, own);
  }

  private moved(
    event: MoveEvent,
    { byId, moved, ...facts }: MessageFacts,
    { reader, queue, variant }: ServedQueue,
  ): string | null | readonly NumberedBody[] {
    const messages = moved.get(positionOf(event._id));
    if (!messages) throw new Error(`the move ${event._id} leaves without its messages`);
    const { directory } = this;
    const isLost = losesAccess(reader._id, event, directory);
    if (isLost !== (event.kind === 'delete_message/moved')) return null;
    if (event.kind === 'delete_message/moved') {
      return lostBodies(event, lostIds(reader._id, event, messages, directory), queue);
    }
    const ids = visibleIds(reader._id, event, messages, directory);
    if (ids.length === 0) return null;
    if (event.kind === 'update_message_flags/moved') {
      const { channelId, topic } = event.payload.to;
      if (!directory.wasSubscribed(reader._id, channelId, positionOf(event._id))) return flagsBody('add', 'read', ids);
      const unread = facts.unreadAgain.get(positionOf(event._id)) ?? [];
      if (unread.length === 0) return null;
      const place = { stream_id: channelId, topic: topicForClients(topic, variant.allowEmptyTopicName) };
      const unreadIds = unread.map(({ _id }) => _id);
      return flagsBody('remove', 'read', unreadIds, placesOfUnread(unread, place, reader, directory));
    }
    const { allowEmptyTopicName } = variant;
    const channelName = knownName(reader, event.payload.from.channelId, directory);
    const message = byId.get(anchorOf(event.payload, ids) ?? 0);
    const edit = this.editOf(event, message);
    const write = (): string =>
      JSON.stringify({ ...movedBody(event, ids, allowEmptyTopicName, channelName, directory), ...edit });
    // Readers who know all the messages share one body.
    const isSame = knowsAll(reader._id, event, directory);
    const body = isSame
      ? this.moves.get(
          event,
          { allowEmptyTopicName, channelName, ids: ids.length, showsPreviousContent: this.showsPreviousContent },
          write,
        )
      : write();
    return this.withFlags(body, message, reader, facts);
  }

  /** The part of a move's body that tells of the edit by the same request. */
  private editOf(
    { payload: { anchorId, contentRevision } }: ClientEventOf<typeof messagesMoved>,
    message: MessageDocument | undefined,
  ): object {
    if (contentRevision === undefined || message?._id !== anchorId) return {};
    return contentBody(message, contentRevision, this.showsPreviousContent);
  }

  private get showsPreviousContent(): boolean {
    return this.directory.setting('message_edit_history_visibility_policy') === 'all';
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
