import type { PositionInterval } from '../../src/directory/directory.records.js';
import type { UserMuted, UserUnmuted } from '../../src/events/personal/personal.events.js';
import type {
  FlagsAdded,
  FlagsRemoved,
  IdRange,
  OwnFlag,
  ReadStateEvent,
} from '../../src/events/read-state/read-state.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import {
  type Change,
  insert,
  type LookUp,
  type OwnDocuments,
  projection,
} from '../../src/platform/read-models/projection.js';
import { CHUNK_SIZE, chunkOf, decodeChunk, encodeChunk, noIds, setRange } from './id-chunk.js';

/** A chunk of the messages that a user has flagged. */
interface FlagChunkDocument extends StoredDocument {
  /** `<userId>/<set>/<chunk>` */
  readonly _id: string;
  readonly userId: number;
  readonly set: OwnFlag;
  readonly chunk: number;
  /** Encoded by id-chunk. */
  readonly ids: string;
  /** Only for stars: their positions, by message id. A star is void once the user has lost access to its message. */
  readonly since?: readonly FlagMark[];
  readonly position: Position;
}

/** Ids marked by the event at a position, both ends included. */
export type FlagMark = readonly [from: number, to: number, at: Position];

/**
 * Messages marked as unread: without the marks, some of them would count as read. Each mark has a position, because it
 * is void once the user has left the channel.
 */
interface UnreadMarksDocument extends StoredDocument {
  /** `<userId>/unread/<chunk>` */
  readonly _id: string;
  readonly userId: number;
  readonly set: 'unread';
  readonly chunk: number;
  /** By id. */
  readonly marks: readonly FlagMark[];
  readonly position: Position;
}

/** All messages before `position` are read, except for chunks that have changed since. */
interface AllReadDocument extends StoredDocument {
  /** `<userId>/all` */
  readonly _id: string;
  readonly userId: number;
  readonly set: 'all';
  readonly position: Position;
}

export type FlagDocument = FlagChunkDocument | UnreadMarksDocument | AllReadDocument;

/** The users that a user has muted, with positions of the log: messages they sent in between arrived read. */
export interface MutesDocument extends StoredDocument {
  /** The user's id. */
  readonly _id: number;
  readonly muted: readonly ({ readonly userId: number } & PositionInterval)[];
  readonly position: Position;
}

export const FLAGS = 'flags';
export const MUTES = 'mutes';

/** Messages that users have read, starred or collapsed (D9), and the mutes by which messages arrive read. */
export const readState = projection<ReadStateEvent | UserMuted | UserUnmuted>({
  name: 'read-state',
  version: 2,
  // By position, because readers who know a user's flags, or all mutes, ask for later changes.
  collections: {
    [FLAGS]: { indexes: [{ keys: { userId: 1, position: 1 } }] },
    [MUTES]: { indexes: [{ keys: { position: 1 } }] },
  },
  on: {
    FlagsAdded: (event, documents) => changed(event, documents, true),
    FlagsRemoved: (event, documents) => changed(event, documents, false),
    AllMessagesRead: async ({ data: { userId }, position }, documents) => {
      const document: AllReadDocument = { _id: `${userId}/all`, userId, set: 'all', position };
      const filter = { userId, position: { $lt: position }, set: { $in: ['read', 'unread'] } };
      // By id, so that the runner forgets no documents of other users.
      const outdated = await documents.collection(FLAGS).find(filter, { projection: { position: 1 } });
      const gone = outdated.map(
        ({ _id }): Change => ({ collection: FLAGS, operation: { deleteOne: { filter: { _id } } } }),
      );
      return [...gone, insert(FLAGS, document)];
    },
    UserMuted: mutesChanged,
    UserUnmuted: mutesChanged,
  },
  prefetch: {
    FlagsAdded: chunksOf,
    FlagsRemoved: chunksOf,
    UserMuted: ({ data: { userId } }) => [[MUTES, userId]],
    UserUnmuted: ({ data: { userId } }) => [[MUTES, userId]],
  },
});

function chunksOf({ data: { userId, flag, ranges } }: Recorded<FlagsAdded | FlagsRemoved>): readonly LookUp[] {
  const sets = flag === 'read' ? [flag, 'unread'] : [flag];
  return [...byChunk(ranges).keys()].flatMap((chunk) =>
    sets.map((set): LookUp => [FLAGS, `${userId}/${set}/${chunk}`]),
  );
}

async function mutesChanged(
  { type, data: { userId, mutedUserId }, position }: Recorded<UserMuted | UserUnmuted>,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const before = await documents.collection<MutesDocument>(MUTES).findOne({ _id: userId });
  if (before && before.position >= position) return [];
  const ended = (before?.muted ?? []).map((one) =>
    one.userId === mutedUserId && one.to === null ? { ...one, to: position } : one,
  );
  const muted = type === 'UserMuted' ? [...ended, { userId: mutedUserId, from: position, to: null }] : ended;
  const document: MutesDocument = { _id: userId, muted, position };
  return [insert(MUTES, document)];
}

/** An id is in at most one of `read` and `unread`. */
async function changed(
  event: Recorded<FlagsAdded | FlagsRemoved>,
  documents: OwnDocuments,
  isAdded: boolean,
): Promise<readonly Change[]> {
  const { flag } = event.data;
  const own = await changedSet(event, documents, flag, isAdded);
  return flag === 'read' ? [...own, ...(await changedMarks(event, documents, !isAdded))] : own;
}

async function changedSet(
  { data: { userId, ranges }, position }: Recorded<FlagsAdded | FlagsRemoved>,
  documents: OwnDocuments,
  set: OwnFlag,
  isIn: boolean,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const [chunk, offsets] of byChunk(ranges)) {
    const _id = `${userId}/${set}/${chunk}`;
    const before = await documents.collection<FlagChunkDocument>(FLAGS).findOne({ _id });
    if (before ? before.position >= position : !isIn) continue;
    const bits = before ? decodeChunk(before.ids) : noIds();
    for (const [from, to] of offsets) setRange(bits, from, to, isIn);
    const since = set === 'starred' && { since: marked(before?.since, chunk, offsets, position, isIn) };
    const document: FlagChunkDocument = { _id, userId, set, chunk, ids: encodeChunk(bits), ...since, position };
    changes.push(insert(FLAGS, document));
  }
  return changes;
}

async function changedMarks(
  { data: { userId, ranges }, position }: Recorded<FlagsAdded | FlagsRemoved>,
  documents: OwnDocuments,
  isMarked: boolean,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const [chunk, offsets] of byChunk(ranges)) {
    const _id = `${userId}/unread/${chunk}`;
    const before = await documents.collection<UnreadMarksDocument>(FLAGS).findOne({ _id });
    if (before ? before.position >= position : !isMarked) continue;
    const marks = marked(before?.marks, chunk, offsets, position, isMarked);
    const document: UnreadMarksDocument = { _id, userId, set: 'unread', chunk, marks, position };
    changes.push(insert(FLAGS, document));
  }
  return changes;
}

function marked(
  before: readonly FlagMark[] = [],
  chunk: number,
  offsets: readonly IdRange[],
  position: Position,
  isMarked: boolean,
): readonly FlagMark[] {
  const start = chunk * CHUNK_SIZE;
  const changed = offsets.map(([from, to]): FlagMark => [start + from, start + to, position]);
  const left = without(before, changed);
  return isMarked ? [...left, ...changed].sort(([a], [b]) => a - b) : left;
}

/** Both lists are ordered by id, without overlaps. */
function without(marks: readonly FlagMark[], gone: readonly FlagMark[]): FlagMark[] {
  const left: FlagMark[] = [];
  let first = 0;
  for (const [from, to, at] of marks) {
    let start = from;
    while ((gone[first]?.[1] ?? Number.POSITIVE_INFINITY) < from) first++;
    for (let index = first; (gone[index]?.[0] ?? Number.POSITIVE_INFINITY) <= to; index++) {
      const [goneFrom, goneTo] = gone[index] as FlagMark;
      if (start < goneFrom) left.push([start, goneFrom - 1, at]);
      start = goneTo + 1;
    }
    if (start <= to) left.push([start, to, at]);
  }
  return left;
}

/** Ranges cut at the ends of chunks, as offsets in them. */
function byChunk(ranges: readonly IdRange[]): Map<number, IdRange[]> {
  const chunks = new Map<number, IdRange[]>();
  for (const [first, last] of ranges) {
    for (let chunk = chunkOf(first); chunk <= chunkOf(last); chunk++) {
      const start = chunk * CHUNK_SIZE;
      const offsets: IdRange = [Math.max(first - start, 0), Math.min(last - start, CHUNK_SIZE - 1)];
      const known = chunks.get(chunk);
      if (known) known.push(offsets);
      else chunks.set(chunk, [offsets]);
    }
  }
  return chunks;
}
