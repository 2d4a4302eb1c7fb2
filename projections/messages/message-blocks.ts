import type { Recipient } from '../../src/events/messages/messages.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { type Change, insert, type OwnDocuments } from '../../src/platform/read-models/projection.js';

/** Number of consecutive ids in a block. */
export const BLOCK_SIZE = 512;

export const blockOf = (id: number): number => Math.floor(id / BLOCK_SIZE);

/** Numbers in a message's row of `columns`. */
export const ROW_LENGTH = 4;

/** The channel of direct messages. Ids of channels begin at 1. */
export const DIRECT = 0;
/** The channel of a row without a message: the message is deleted, or the id is unused. */
export const NONE = -1;

/** The history of a message that was sent to another channel. */
export interface MovedIn {
  readonly firstChannelId: number;
  /** Position of the move to the current channel. */
  readonly arrivedPosition: Position;
  /** Stays in channels between the first and the current; absent without any. */
  readonly between?: readonly Stay[];
}

/** A message's stay in a channel, from a position of the log on. */
export interface Stay {
  readonly channelId: number;
  readonly since: Position;
}

/**
 * The places of consecutive messages, without content. Unread messages are found in blocks: reading each message costs
 * too much.
 */
export interface BlockDocument extends StoredDocument {
  /** Number of the block: its first id divided by BLOCK_SIZE. */
  readonly _id: number;
  /** Position in the log of the block's first message. */
  readonly base: Position;
  /**
   * One row a message, by id from the block's first id on: channel; number of the place; twice the sender's id, plus
   * one if the message started read for the sender; distance from `base` in the log.
   */
  readonly columns: readonly number[];
  /** By id, of messages sent to another channel. */
  readonly arrivals?: Readonly<Record<string, MovedIn>>;
  readonly position: Position;
}

/** A spelling of a topic, or a direct-message conversation. Its number never changes. */
export interface PlaceDocument extends StoredDocument {
  /** `<channelId>/<topic>`, or the conversation's `dmKey` */
  readonly _id: string;
  /** From 1, in the order of the log. */
  readonly number: number;
  readonly channelId?: number;
  readonly topic?: string;
  /** `topic` folded. */
  readonly topicKey?: string;
  readonly dmKey?: string;
  readonly participants?: readonly number[];
  readonly position: Position;
}

export const BLOCKS = 'blocks';
export const PLACES = 'places';

/** The number of places. */
interface PlaceCount extends StoredDocument {
  readonly _id: 'count';
  readonly count: number;
  readonly position: Position;
}

const COUNT = 'count';

type PlacedMessage = {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly senderId: number;
  readonly readBySender: boolean;
} & (
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly dmKey: string; readonly participants: readonly number[] }
);

/** Adds a message that is newer than all others. */
export async function blockWritten(message: PlacedMessage, documents: OwnDocuments): Promise<readonly Change[]> {
  const { _id: id, sentPosition, senderId, readBySender } = message;
  const _id = blockOf(id);
  const before = await documents.collection<BlockDocument>(BLOCKS).findOne({ _id });
  const rows = (before?.columns.length ?? 0) / ROW_LENGTH;
  const offset = id - _id * BLOCK_SIZE;
  if (rows > offset) return [];
  const base = before?.base ?? sentPosition;
  const [place, written] = await numberOf(placeOf(message), sentPosition, documents);
  const channel = message.type === 'channel' ? message.channelId : DIRECT;
  const added: number[] = [];
  for (let missing = rows; missing < offset; missing++) added.push(NONE, 0, 0, 0);
  added.push(channel, place, senderId * 2 + Number(readBySender), sentPosition - base);
  // A copy that grows is allocated twice, which was a sixth of all that a send allocates.
  const columns = (before?.columns ?? []).concat(added);
  const block: BlockDocument = { _id, base, columns, ...movedInOf(before?.arrivals), position: sentPosition };
  return [...written, insert(BLOCKS, block)];
}

/** Removes a deleted message. */
export async function blockWithout(
  id: number,
  position: Position,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  return changedBlock([id], position, documents, (columns, at, arrivals) => {
    columns[at] = NONE;
    delete arrivals[id];
  });
}

/** Moves messages to another topic or channel. */
export async function blocksMoved(
  ids: readonly number[],
  to: { readonly channelId: number; readonly topic: string },
  position: Position,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  if (ids.length === 0) return [];
  const [place, written] = await numberOf({ type: 'channel', ...to }, position, documents);
  const blocks = await changedBlock(ids, position, documents, (columns, at, arrivals, id) => {
    const from = columns[at];
    if (from === undefined || from === NONE) return;
    columns[at] = to.channelId;
    columns[at + 1] = place;
    if (from === to.channelId) return;
    const before = arrivals[id];
    const { firstChannelId = from, between = [] } = before ?? {};
    const stays = before ? [...between, { channelId: from, since: before.arrivedPosition }] : between;
    arrivals[id] = { firstChannelId, arrivedPosition: position, ...(stays.length > 0 && { between: stays }) };
  });
  return [...written, ...blocks];
}

async function changedBlock(
  ids: readonly number[],
  position: Position,
  documents: OwnDocuments,
  change: (columns: number[], at: number, arrivals: Record<string, MovedIn>, id: number) => void,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const [_id, own] of byBlock(ids)) {
    const before = await documents.collection<BlockDocument>(BLOCKS).findOne({ _id });
    if (!before || before.position >= position) continue;
    const columns = [...before.columns];
    const arrivals = { ...before.arrivals };
    for (const id of own) change(columns, (id - _id * BLOCK_SIZE) * ROW_LENGTH, arrivals, id);
    const block: BlockDocument = { _id, base: before.base, columns, ...movedInOf(arrivals), position };
    changes.push({ ...insert(BLOCKS, block), group: _id });
  }
  return changes;
}

function movedInOf(arrivals: BlockDocument['arrivals'] = {}): Pick<BlockDocument, 'arrivals'> {
  return Object.keys(arrivals).length > 0 ? { arrivals } : {};
}

/** The ids in each block. */
export function byBlock(ids: readonly number[]): Map<number, number[]> {
  const blocks = new Map<number, number[]>();
  for (const id of ids) {
    const own = blocks.get(blockOf(id));
    if (own) own.push(id);
    else blocks.set(blockOf(id), [id]);
  }
  return blocks;
}

type Place =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly dmKey: string; readonly participants: readonly number[] };

/** Id of the place that a message is sent to. */
export const placeId = (to: Recipient): string => (to.type === 'channel' ? topicPlaceId(to) : to.userIds.join(','));

const topicPlaceId = ({ channelId, topic }: { readonly channelId: number; readonly topic: string }): string =>
  `${channelId}/${topic}`;

function placeOf(message: PlacedMessage): Place {
  if (message.type === 'channel') return { type: 'channel', channelId: message.channelId, topic: message.topic };
  return { type: 'direct', dmKey: message.dmKey, participants: message.participants };
}

/** The place's number, and the changes that number a new place. */
async function numberOf(
  place: Place,
  position: Position,
  documents: OwnDocuments,
): Promise<readonly [number: number, written: readonly Change[]]> {
  const places = documents.collection<PlaceDocument>(PLACES);
  const _id = place.type === 'channel' ? topicPlaceId(place) : place.dmKey;
  const known = await places.findOne({ _id });
  if (known) return [known.number, []];
  const before = await documents.collection<PlaceCount>(PLACES).findOne({ _id: COUNT });
  // An earlier, unfinished attempt at this event has counted the place already.
  const number = before?.position === position ? before.count : (before?.count ?? 0) + 1;
  const count: PlaceCount = { _id: COUNT, count: number, position };
  return [number, [insert(PLACES, count), insert(PLACES, documentOf(place, _id, number, position))]];
}

function documentOf(place: Place, _id: string, number: number, position: Position): PlaceDocument {
  if (place.type === 'direct') {
    const { dmKey, participants } = place;
    return { _id, number, dmKey, participants, position };
  }
  const { channelId, topic } = place;
  return { _id, number, channelId, topic, topicKey: foldCase(topic), position };
}
