import {
  isMoved,
  type MessagesMoved,
  type PropagateMode,
  type TopicPlace,
  topicId,
} from '../../src/events/messages/topics.events.js';
import { type IdRange, rangesOf } from '../../src/events/read-state/read-state.events.js';
import type { Collection, StoredDocument, Update } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { type Change, insert, type OwnDocuments } from '../../src/platform/read-models/projection.js';
import { blocksMoved, byBlock } from './message-blocks.js';
import {
  historyAfter,
  type MessageMove,
  type MessageMoves,
  MOVE_HISTORIES,
  type MoveHistoryDocument,
  movesAfter,
} from './move-history.js';
import { type Stretch, stretchOf, topicJoined, topicLeft } from './topic-documents.js';

/** A MessagesMoved, with the messages that it really moved. */
export interface MoveDocument extends StoredDocument, MessageMove {
  /** `position` */
  readonly _id: number;
  readonly anchorId: number;
  readonly propagateMode: PropagateMode;
  /** Ascending ranges, both ends included. */
  readonly messageIds: readonly IdRange[];
}

/** A channel has messages that were sent to another channel; the range of the positions at which they were sent. */
export interface MovedInDocument extends StoredDocument {
  /** `<channelId>/<firstChannelId>` */
  readonly _id: string;
  readonly channelId: number;
  readonly firstChannelId: number;
  readonly oldest: Position;
  readonly newest: Position;
  readonly position: Position;
}

export const MOVES = 'moves';
export const MOVED_IN = 'arrivals';

/** Most ids in one query. */
const AT_ONCE = 10_000;

/** The fields of a message that moves need. */
interface Moving extends StoredDocument, Pick<MessageMoves, 'journey'> {
  readonly _id: number;
  readonly sentPosition: Position;
}

interface PlacedDocument extends Moving, MessageMoves {
  readonly position: Position;
  readonly channelId?: number;
  readonly topic: string;
  readonly topicKey?: string;
}

/** The messages that a move takes, oldest first, and the rest of the topic; null: no rest. */
interface Taken {
  readonly moved: readonly Moving[];
  readonly left: (Stretch & { readonly name: string }) | null;
}

/** @param collection of the messages */
export const messagesMoved =
  (collection: string) =>
  async (event: Recorded<MessagesMoved>, documents: OwnDocuments): Promise<readonly Change[]> => {
    const { data, position, metadata } = event;
    const { anchorId, propagateMode, from, to, contentRevision } = data;
    const edit = contentRevision === undefined ? undefined : { messageId: anchorId, contentRevision };
    const move: MessageMove = { position, at: metadata.at, moverId: metadata.actorId, from, to, ...(edit && { edit }) };
    const topic = new Topic(from, collection, documents);
    const known = await documents.collection<MoveDocument>(MOVES).findOne({ _id: position });
    const { moved, left } = known ? await topic.stillToTake(known) : await topic.extract(data);
    const messageIds = known?.messageIds ?? rangesOf(moved.map(({ _id }) => _id));
    // Written first: a repeat after an unfinished attempt finds the moved messages here.
    const took: MoveDocument = { _id: position, ...move, anchorId, propagateMode, messageIds };
    const written = insert(MOVES, took);
    const [first, last] = [moved[0], moved.at(-1)];
    if (!first || !last) return [written];
    const isOneTopic = topicId(from.channelId, from.topic) === topicId(to.channelId, to.topic);
    const ids = moved.map(({ _id }) => _id);
    const blocks = await blocksMoved(ids, to, position, documents);
    const { histories, updates, arrivals } = await brought(collection, moved, move, documents);
    // A large move is stored in parts: what messages refer to comes before them, and the topic that they leave after.
    return [
      written,
      ...histories,
      ...arrivals,
      ...(await topicJoined(to, stretchOf(first, last), position, documents)),
      ...[...blocks, ...updates].sort(byGroup),
      ...(isOneTopic ? [] : [topicLeft(from.channelId, from.topic, left, position)]),
    ];
  };

/** The messages of a topic at the time of a move. */
class Topic {
  private readonly place: { readonly channelId: number; readonly topicKey: string };
  private readonly messages: Pick<Collection<PlacedDocument>, 'find' | 'findOne'>;

  constructor({ channelId, topic }: TopicPlace, collection: string, documents: OwnDocuments) {
    this.place = { channelId, topicKey: foldCase(topic) };
    this.messages = documents.collection<PlacedDocument>(collection);
  }

  async extract(move: MessagesMoved['data']): Promise<Taken> {
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
      { sort: { sentPosition: 1 }, projection: { sentPosition: 1, journey: 1 } },
    );
    const staying = candidates.filter(({ _id }) => !isMoved(move, _id));
    const moved = staying.length === 0 ? candidates : candidates.filter(({ _id }) => isMoved(move, _id));
    const first = (await this.edge(1, { $lt: from })) ?? (await this.byId(staying[0]));
    const last = staying.at(-1) ?? (await this.edge(-1, { $lt: from }));
    return { moved, left: first && last ? { name: first.topic, ...stretchOf(first, last) } : null };
  }

  /** The messages still to move after an unfinished attempt. */
  async stillToTake({ messageIds, position }: MoveDocument): Promise<Taken> {
    const ids = messageIds.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
    const moved: PlacedDocument[] = [];
    for (const $in of chunksOf(ids)) moved.push(...(await this.messages.find({ _id: { $in } }, { sort: { _id: 1 } })));
    return this.without(moved.filter((message) => message.position < position));
  }

  /** @param gone few messages of the topic, or nearly all */
  private async without(gone: readonly Moving[]): Promise<Taken> {
    const ids = new Set(gone.map(({ _id }) => _id));
    const stays = async (direction: 1 | -1): Promise<PlacedDocument | undefined> => {
      const some = { sort: { sentPosition: direction }, limit: ids.size + 1 } as const;
      const found = await this.messages.find(this.place, some);
      return found.find(({ _id }) => !ids.has(_id));
    };
    const [first, last] = [await stays(1), await stays(-1)];
    return { moved: gone, left: first && last ? { name: first.topic, ...stretchOf(first, last) } : null };
  }

  private async edge(direction: 1 | -1, sentPosition: object): Promise<PlacedDocument | undefined> {
    const [found] = await this.messages.find(
      { ...this.place, sentPosition },
      { sort: { sentPosition: direction }, limit: 1 },
    );
    return found;
  }

  private async byId(message: Moving | undefined): Promise<PlacedDocument | null> {
    return message ? this.messages.findOne({ _id: message._id }) : null;
  }

  /** Position of the first message with this id or a later one. Ids and positions have the same order. */
  private async positionFrom(messageId: number): Promise<Position | null> {
    const [first] = await this.messages.find({ _id: { $gte: messageId } }, { sort: { _id: 1 }, limit: 1 });
    return first?.sentPosition ?? null;
  }
}

const NOTHING: Taken = { moved: [], left: null };

/** The changes of the messages' own records, and of what they refer to. */
interface Brought {
  readonly histories: readonly Change[];
  /** By block. */
  readonly updates: readonly Change[];
  readonly arrivals: readonly Change[];
}

/** Messages with the same history get the same update, block by block. */
async function brought(
  collection: string,
  moved: readonly Moving[],
  move: MessageMove,
  documents: OwnDocuments,
): Promise<Brought> {
  const { from, to, position } = move;
  const isElsewhere = from.channelId !== to.channelId;
  const [histories, updates, arrivals]: [Change[], Change[], Change[]] = [[], [], []];
  const byFirst = new Map<number, Moving[]>();
  for (const own of byJourney(moved)) {
    const before = await movesOf(own[0], collection, documents);
    const journeyBefore =
      before.journey === undefined
        ? null
        : await documents.collection<MoveHistoryDocument>(MOVE_HISTORIES).findOne({ _id: before.journey });
    const journey = historyAfter(journeyBefore, move);
    const place = { channelId: to.channelId, topic: to.topic, topicKey: foldCase(to.topic), position };
    const $set = { ...place, ...movesAfter(before, move, journey._id) };
    histories.push(insert(MOVE_HISTORIES, journey));
    for (const change of updatesOf(collection, own, { $set })) updates.push(change);
    const { firstChannelId = from.channelId } = before;
    const alike = byFirst.get(firstChannelId);
    if (alike) for (const message of own) alike.push(message);
    else byFirst.set(firstChannelId, own);
  }
  if (isElsewhere) {
    for (const [firstChannelId, some] of byFirst) {
      const positions = some.map(({ sentPosition }) => sentPosition);
      arrivals.push(await arrival(to.channelId, firstChannelId, positions, position, documents));
    }
  }
  return { histories, updates, arrivals };
}

function byJourney(moved: readonly Moving[]): Moving[][] {
  const found = new Map<string | undefined, Moving[]>();
  for (const message of moved) {
    const own = found.get(message.journey);
    if (own) own.push(message);
    else found.set(message.journey, [message]);
  }
  return [...found.values()];
}

async function movesOf(
  message: Moving | undefined,
  collection: string,
  documents: OwnDocuments,
): Promise<MessageMoves> {
  if (message?.journey === undefined) return {};
  return (await documents.collection<PlacedDocument>(collection).findOne({ _id: message._id })) ?? {};
}

function updatesOf(collection: string, messages: readonly Moving[], update: Update): Change[] {
  const ids = messages.map(({ _id }) => _id);
  return [...byBlock(ids)].map(([group, own]) => ({
    collection,
    operation: { updateMany: { filter: { _id: { $in: own } }, update } },
    group,
  }));
}

/** A message and its row in a block change together. Changes of no block come first. */
const byGroup = (a: Change, b: Change): number => (a.group ?? -1) - (b.group ?? -1);

async function arrival(
  channelId: number,
  firstChannelId: number,
  sentPositions: readonly Position[],
  position: Position,
  documents: OwnDocuments,
): Promise<Change> {
  const _id = `${channelId}/${firstChannelId}`;
  const before = await documents.collection<MovedInDocument>(MOVED_IN).findOne({ _id });
  const least = (a: number, b: number): number => Math.min(a, b);
  const most = (a: number, b: number): number => Math.max(a, b);
  const arrived: MovedInDocument = {
    _id,
    channelId,
    firstChannelId,
    oldest: sentPositions.reduce(least, before?.oldest ?? Number.POSITIVE_INFINITY),
    newest: sentPositions.reduce(most, before?.newest ?? START),
    position,
  };
  return insert(MOVED_IN, arrived);
}

function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) chunks.push(all.slice(at, at + AT_ONCE));
  return chunks;
}
