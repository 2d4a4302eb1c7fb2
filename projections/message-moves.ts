import type { Collection, StoredDocument } from '../src/document-store/document-store.js';
import type { Recorded } from '../src/kernel/event.js';
import { fold } from '../src/kernel/fold.js';
import { type Position, START } from '../src/kernel/position.js';
import {
  isMoved,
  type MessagesMoved,
  type PropagateMode,
  type TopicPlace,
} from '../src/topics/domain/topics.events.js';
import { blocksMoved } from './message-blocks.js';
import { type Change, insert, type OwnDocuments } from './projection.js';
import { type Stretch, stretchOf, topicId, topicJoined, topicLeft } from './topic-documents.js';

/** One change of a message's place. */
export interface MessageMove {
  /** Where its MessagesMoved is in the log. */
  readonly position: Position;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly moverId: number | null;
  readonly from: TopicPlace;
  readonly to: TopicPlace;
}

/** Where a message has been; absent where it has always been where it is. */
export interface MessageMoves {
  /** Oldest first. */
  readonly moves?: readonly MessageMove[];
  /** Of a message that has ever changed channel: what brought it where it is, and where it was sent. */
  readonly arrivedPosition?: Position;
  readonly firstChannelId?: number;
}

/** One MessagesMoved, with the messages that it really took. */
export interface MoveDocument extends StoredDocument, MessageMove {
  /** `position` */
  readonly _id: number;
  readonly anchorId: number;
  readonly propagateMode: PropagateMode;
  /** Ids from one to another, both included, ascending. */
  readonly messageIds: readonly IdRange[];
}

export type IdRange = readonly [from: number, to: number];

/** Which channels hold messages that were sent to another one, and where in the log those are that ever came. */
export interface ArrivalsDocument extends StoredDocument {
  /** `<channelId>/<firstChannelId>` */
  readonly _id: string;
  readonly channelId: number;
  readonly firstChannelId: number;
  readonly oldest: Position;
  readonly newest: Position;
  readonly position: Position;
}

export const MOVES = 'moves';
export const ARRIVALS = 'arrivals';

/** So many documents are named in one update. */
const AT_ONCE = 1000;

/** What moves need to know of a message. */
interface Moving extends StoredDocument {
  readonly _id: number;
  readonly sentPosition: Position;
}

interface Placed extends Moving {
  readonly position: Position;
  readonly channelId?: number;
  readonly topic: string;
  readonly topicKey?: string;
  readonly firstChannelId?: number;
}

/** What a move takes, oldest first, and what it leaves. */
interface Taken {
  readonly moved: readonly Moving[];
  readonly left: (Stretch & { readonly name: string }) | null;
}

/** @param collection of the messages */
export const messagesMoved =
  (collection: string) =>
  async (event: Recorded<MessagesMoved>, documents: OwnDocuments): Promise<readonly Change[]> => {
    const { data, position, metadata } = event;
    const { anchorId, propagateMode, from, to } = data;
    const move: MessageMove = { position, at: metadata.at, moverId: metadata.actorId, from, to };
    const topic = new Topic(from, collection, documents);
    const known = await documents.collection<MoveDocument>(MOVES).findOne({ _id: position });
    const { moved, left } = known ? await topic.stillToTake(known) : await topic.take(data);
    const messageIds = known?.messageIds ?? rangesOf(moved.map(({ _id }) => _id));
    // First what was taken: should this be carried out by halves, it is known when it is done again.
    const took: MoveDocument = { _id: position, ...move, anchorId, propagateMode, messageIds };
    const written = insert(MOVES, took);
    const [first, last] = [moved[0], moved.at(-1)];
    if (!first || !last) return [written];
    const isOneTopic = topicId(from.channelId, from.topic) === topicId(to.channelId, to.topic);
    const isOneChannel = from.channelId === to.channelId;
    return [
      written,
      ...(isOneTopic ? [] : [topicLeft(from.channelId, from.topic, left, position)]),
      ...(await topicJoined(to, stretchOf(first, last), position, documents)),
      ...(await blocksMoved(
        moved.map(({ _id }) => _id),
        to,
        position,
        documents,
      )),
      ...(isOneChannel ? updates(collection, moved, move) : await toAnotherChannel(collection, moved, move, documents)),
    ];
  };

/** The messages of a topic as of a move. */
class Topic {
  private readonly place: { readonly channelId: number; readonly topicKey: string };
  private readonly messages: Pick<Collection<Placed>, 'find' | 'findOne'>;

  constructor({ channelId, topic }: TopicPlace, collection: string, documents: OwnDocuments) {
    this.place = { channelId, topicKey: fold(topic) };
    this.messages = documents.collection<Placed>(collection);
  }

  async take(move: MessagesMoved['data']): Promise<Taken> {
    const { anchorId, propagateMode } = move;
    if (propagateMode === 'change_one') {
      const anchor = await this.messages.findOne({ _id: anchorId });
      const isHere = anchor?.channelId === this.place.channelId && anchor.topicKey === this.place.topicKey;
      return isHere ? this.without([anchor]) : NOTHING;
    }
    const from = propagateMode === 'change_all' ? START : await this.positionFrom(anchorId);
    if (from === null) return NOTHING;
    const candidates: readonly Moving[] = await this.messages.find(
      { ...this.place, sentPosition: { $gte: from } },
      { sort: { sentPosition: 1 }, projection: { sentPosition: 1 } },
    );
    const staying = candidates.filter(({ _id }) => !isMoved(move, _id));
    const moved = staying.length === 0 ? candidates : candidates.filter(({ _id }) => isMoved(move, _id));
    const first = (await this.edge(1, { $lt: from })) ?? (await this.byId(staying[0]));
    const last = staying.at(-1) ?? (await this.edge(-1, { $lt: from }));
    return { moved, left: first && last ? { name: first.topic, ...stretchOf(first, last) } : null };
  }

  /** Of a move that was carried out by halves. */
  async stillToTake({ messageIds, position }: MoveDocument): Promise<Taken> {
    const ids = messageIds.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
    const moved: Placed[] = [];
    for (const $in of chunksOf(ids)) moved.push(...(await this.messages.find({ _id: { $in } }, { sort: { _id: 1 } })));
    return this.without(moved.filter((message) => message.position < position));
  }

  /** @param gone few, or nearly all */
  private async without(gone: readonly Moving[]): Promise<Taken> {
    const ids = new Set(gone.map(({ _id }) => _id));
    const stays = async (direction: 1 | -1): Promise<Placed | undefined> => {
      const some = { sort: { sentPosition: direction }, limit: ids.size + 1 } as const;
      const found = await this.messages.find(this.place, some);
      return found.find(({ _id }) => !ids.has(_id));
    };
    const [first, last] = [await stays(1), await stays(-1)];
    return { moved: gone, left: first && last ? { name: first.topic, ...stretchOf(first, last) } : null };
  }

  private async edge(direction: 1 | -1, sentPosition: object): Promise<Placed | undefined> {
    const [found] = await this.messages.find(
      { ...this.place, sentPosition },
      { sort: { sentPosition: direction }, limit: 1 },
    );
    return found;
  }

  private async byId(message: Moving | undefined): Promise<Placed | null> {
    return message ? this.messages.findOne({ _id: message._id }) : null;
  }

  /** Where the first message with this id or a later one was sent; ids and positions are in the same order. */
  private async positionFrom(messageId: number): Promise<Position | null> {
    const [first] = await this.messages.find({ _id: { $gte: messageId } }, { sort: { _id: 1 }, limit: 1 });
    return first?.sentPosition ?? null;
  }
}

const NOTHING: Taken = { moved: [], left: null };

function updates(collection: string, moved: readonly Moving[], move: MessageMove, more: object = {}): Change[] {
  const { channelId, topic } = move.to;
  const update = {
    $set: { channelId, topic, topicKey: fold(topic), position: move.position, ...more },
    $push: { moves: move },
  };
  return chunksOf(moved).map((chunk) => ({
    collection,
    operation: { updateMany: { filter: { _id: { $in: chunk.map(({ _id }) => _id) } }, update } },
  }));
}

/** Where messages were sent stays known, however often they change channel. */
async function toAnotherChannel(
  collection: string,
  moved: readonly Moving[],
  move: MessageMove,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const { position, from, to } = move;
  const arrivals = documents.collection<ArrivalsDocument>(ARRIVALS);
  const cameFromElsewhere = (await arrivals.find({ channelId: from.channelId }, { limit: 1 })).length > 0;
  const byFirst = cameFromElsewhere
    ? await byFirstChannel(collection, moved, from.channelId, documents)
    : new Map([[from.channelId, moved]]);
  const changes: Change[] = [];
  for (const [firstChannelId, some] of byFirst) {
    const [first, last] = [some[0], some.at(-1)];
    if (!first || !last) continue;
    const _id = `${to.channelId}/${firstChannelId}`;
    const before = await arrivals.findOne({ _id });
    const arrived: ArrivalsDocument = {
      _id,
      channelId: to.channelId,
      firstChannelId,
      oldest: Math.min(before?.oldest ?? first.sentPosition, first.sentPosition),
      newest: Math.max(before?.newest ?? last.sentPosition, last.sentPosition),
      position,
    };
    changes.push(insert(ARRIVALS, arrived));
    changes.push(...updates(collection, some, move, { arrivedPosition: position, firstChannelId }));
  }
  return changes;
}

async function byFirstChannel(
  collection: string,
  moved: readonly Moving[],
  channelId: number,
  documents: OwnDocuments,
): Promise<ReadonlyMap<number, readonly Moving[]>> {
  const found = new Map<number, Moving[]>();
  for (const chunk of chunksOf(moved)) {
    const ids = chunk.map(({ _id }) => _id);
    const messages = documents.collection<Placed>(collection).find({ _id: { $in: ids } }, { sort: { _id: 1 } });
    for (const message of await messages) {
      const first = message.firstChannelId ?? channelId;
      const some = found.get(first);
      if (some) some.push(message);
      else found.set(first, [message]);
    }
  }
  return found;
}

function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) chunks.push(all.slice(at, at + AT_ONCE));
  return chunks;
}

/** @param ids ascending */
function rangesOf(ids: readonly number[]): IdRange[] {
  const ranges: [from: number, to: number][] = [];
  for (const id of ids) {
    const last = ranges.at(-1);
    if (last && last[1] === id - 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}
