import { Injectable } from '@nestjs/common';
import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import { messagesMoved, movedAway, movedFlags } from '../../../../projections/client-events/moves.js';
import type { DeletedMessageDocument } from '../../../../projections/messages/message-events.js';
import { MOVES, type MoveDocument } from '../../../../projections/messages/message-moves.js';
import {
  DELETED_MESSAGES,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../../projections/messages/messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import { Facts } from '../../../directory/facts.js';
import { idsIn } from '../../../events/read-state/read-state.events.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { MovedMessage } from '../queries/records/message-places.js';
import { EditsWithMoves } from './change-bodies.js';
import { CoalescedLookUp } from './coalesced-look-up.js';
import { held } from './held.js';

export type MoveEvent = ClientEventOf<typeof messagesMoved | typeof movedFlags | typeof movedAway>;

const KINDS: ReadonlySet<string> = new Set([messagesMoved, movedFlags, movedAway].map(({ kind }) => kind));

export const isOfMove = (event: ClientEventDocument): event is MoveEvent => KINDS.has(event.kind);

/** The messages that a move took. */
export interface MovedMessages {
  /** Ids of the messages that exist, ascending. */
  readonly ids: readonly number[];
  /** Ids of the messages deleted since, ascending. A reader who had lost them before is not told. */
  readonly deletedIds: readonly number[];
  /** Places of the messages that not every reader knows; empty if the reader knows all of them. */
  readonly places: ReadonlyMap<number, MovedMessage>;
}

const PAGE = 1000;

/** The messages that moves took, looked up once or twice for all queues that fetch a move's events together. */
@Injectable()
export class MovedMessagesLookUp {
  private readonly ids = new CoalescedLookUp((position: Position) => this.taken(position));
  private readonly places = new Map<Position, Promise<ReadonlyMap<number, MovedMessage>>>();

  /** Of the feed: one event tells a move and the edit that came with it. */
  readonly edits: EditsWithMoves;

  constructor(private readonly facts: Facts) {
    this.edits = new EditsWithMoves(facts);
  }

  /**
   * The moved messages by the position of their move, as of now: a message that was found deleted before the call is
   * not in `ids`.
   *
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(events: readonly ClientEventDocument[], userId: number): Promise<ReadonlyMap<Position, MovedMessages>> {
    const found = new Map<Position, MovedMessages>();
    for (const event of events) {
      const position = positionOf(event._id);
      if (!isOfMove(event) || found.has(position)) continue;
      const taken = await this.ids.get(position);
      const isKnown = knowsAll(userId, event, this.facts.directory);
      const places = isKnown ? NOWHERE : await held(this.places, position, () => this.placesOf(taken));
      found.set(position, { ...taken, places });
    }
    return found;
  }

  private async taken(position: Position): Promise<Pick<MovedMessages, 'ids' | 'deletedIds'>> {
    const move = await this.facts.readModels.collection<MoveDocument>(messages, MOVES).findOne({ _id: position });
    const ids = idsIn(move?.messageIds ?? []);
    const gone = await this.byId<DeletedMessageDocument>(DELETED_MESSAGES, ids, { _id: 1 });
    return { ids: ids.filter((id) => !gone.has(id)), deletedIds: [...gone.keys()].sort((a, b) => a - b) };
  }

  private async placesOf({
    ids,
    deletedIds,
  }: Pick<MovedMessages, 'ids' | 'deletedIds'>): Promise<ReadonlyMap<number, MovedMessage>> {
    const fields = { sentPosition: 1, channelId: 1, arrivedPosition: 1, firstChannelId: 1, between: 1 } as const;
    const there = await this.byId<MessageDocument>(MESSAGES, ids, fields);
    const gone = await this.byId<DeletedMessageDocument>(DELETED_MESSAGES, deletedIds, fields);
    return new Map<number, MovedMessage>([...there, ...gone]);
  }

  private async byId<D extends MessageDocument | DeletedMessageDocument>(
    collection: string,
    ids: readonly number[],
    projection: Readonly<Record<string, 1>>,
  ): Promise<ReadonlyMap<number, D>> {
    const found = new Map<number, D>();
    for (let at = 0; at < ids.length; at += PAGE) {
      const $in = ids.slice(at, at + PAGE);
      const page = await this.facts.readModels
        .collection<D>(messages, collection)
        .find({ _id: { $in } }, { projection });
      for (const document of page) found.set(document._id, document);
    }
    return found;
  }
}

const NOWHERE: ReadonlyMap<number, MovedMessage> = new Map();

/**
 * Whether a reader knows all moved messages: a subscriber of the channel they came to, or one of a channel with open
 * history that they stayed in.
 */
export function knowsAll(userId: number, { _id, payload: { from, to } }: MoveEvent, directory: Directory): boolean {
  const isThere = directory.wasSubscribed(userId, to.channelId, positionOf(_id));
  return isThere && (from.channelId !== to.channelId || to.isHistoryOpen);
}
