import type { FactoryProvider } from '@nestjs/common';
import {
  BLOCK_SIZE,
  BLOCKS,
  type BlockDocument,
  blockOf,
  DIRECT,
  NONE,
  PLACES,
  type PlaceDocument,
} from '../../../../projections/messages/message-blocks.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { assertConnected, type ClientConnection, NO_CLIENT } from '../../../platform/kernel/client-connection.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';
import { Mutex } from '../../../platform/kernel/mutex.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import type { Direction } from '../queries/reading/index-scan-filters.js';
import { MessageBlock, type MessageRow } from './message-block.js';

/** A block takes about 10 KiB; these hold four million messages. */
const MOST_HELD = 8192;

/** Blocks that are read before other requests run. */
const BLOCKS_A_TURN = 64;

/** A name has at most a few dozen letters. */
const MOST_NAMES = 100_000;

/** Names read at once. */
const NAMES_AT_ONCE = 500;

const WORDS = BLOCK_SIZE / 32;

/** A range of ids, both ends included. */
export interface IdWindow {
  readonly from: number;
  readonly to: number;
}

export const ALL_IDS: IdWindow = { from: 0, to: Number.MAX_SAFE_INTEGER };

const shared = new WeakMap<ReadModels, MessageRows>();

/** Selects messages by their place. */
export interface PlacesWanted {
  readonly channelIds: ReadonlySet<number>;
  /** Numbers of direct-message conversations. */
  readonly conversations: ReadonlySet<number>;
  /** Numbers of topics' spellings; null: any. */
  readonly topics: ReadonlySet<number> | null;
  readonly ids: IdWindow;
  /** Absent: the scan goes on to its end. */
  readonly connection?: ClientConnection;
}

/** Selects messages by a reader's facts. */
export interface ReaderWanted {
  /**
   * Sets a bit for each of BLOCK_SIZE ids, from `first` on, that may be wanted. null: all of them may be.
   * @returns false if none may be
   */
  readonly bits: ((first: number, into: Uint32Array) => boolean) | null;
  readonly accepts: (row: MessageRow) => boolean;
}

/** Selects the messages to find. */
export interface RowsWanted extends PlacesWanted, ReaderWanted {}

/** The places of all messages, compactly. Blocks are read once, and again if they have changed. */
export class MessageRows {
  private readonly held = new LruMap<number, MessageBlock>(MOST_HELD);
  /** The held blocks have all changes up to this position. */
  private position: Position = START;
  private readonly refreshing = new Mutex();
  private nextRefresh: Promise<void> | null = null;
  private readonly names = new Map<number, PlaceDocument>();

  constructor(private readonly readModels: ReadModels) {}

  /** The instance shared by all readers of the same documents: it holds much. */
  static sharedBy(readModels: ReadModels): MessageRows {
    let rows = shared.get(readModels);
    if (!rows) {
      rows = new MessageRows(readModels);
      shared.set(readModels, rows);
    }
    return rows;
  }

  /**
   * The wanted rows, in order, some at a time; at least as new as the documents at the time of the call.
   * @throws UnavailableError, DocumentStoreUnavailable; Overloaded once the client has hung up
   */
  async *scan(wanted: RowsWanted, direction: Direction): AsyncGenerator<readonly MessageRow[], void> {
    for await (const [found = []] of this.scanForAll(wanted, [wanted], direction)) yield found;
  }

  /** The same for several readers, with each block read once. Yields rows for each reader, in the readers' order. */
  async *scanForAll(
    places: PlacesWanted,
    readers: readonly ReaderWanted[],
    direction: Direction,
  ): AsyncGenerator<readonly (readonly MessageRow[])[], void> {
    await this.refresh();
    const oldest = blockOf(Math.max(0, places.ids.from));
    const newest = Math.min(await this.newestBlock(), blockOf(places.ids.to));
    const channels = tableOf(places.channelIds);
    for (let done = 0; done <= newest - oldest; done += BLOCKS_A_TURN) {
      const numbers = Array.from({ length: Math.min(BLOCKS_A_TURN, newest - oldest + 1 - done) }, (_, index) =>
        direction === 1 ? oldest + done + index : newest - done - index,
      );
      const maybe = numbers.filter((number) => readers.some(({ bits }) => bits?.(number * BLOCK_SIZE, BITS) ?? true));
      if (maybe.length === 0) continue;
      const blocks = (await this.blocks(maybe)).filter((block) => mayHold(block, places, channels));
      const found: MessageRow[][] = [];
      for (const reader of readers) {
        // Lets other requests run during a long search.
        if (found.length > 0) await nextSlice();
        const wanted = { ...places, ...reader };
        const own: MessageRow[] = [];
        for (const block of blocks) take(block, wanted, channels, direction, own);
        found.push(own);
      }
      if (found.some((own) => own.length > 0)) yield found;
      await nextSlice();
      assertConnected(places.connection ?? NO_CLIENT);
    }
  }

  /** All messages have ids of at most this number. */
  async highestId(): Promise<number> {
    return ((await this.newestBlock()) + 1) * BLOCK_SIZE;
  }

  /** The rows of existing messages, ascending. @param ids ascending */
  async byIds(ids: readonly number[]): Promise<readonly MessageRow[]> {
    await this.refresh();
    const numbers = [...new Set(ids.map(blockOf))];
    const found: MessageRow[] = [];
    let at = 0;
    for (let done = 0; done < numbers.length; done += BLOCKS_A_TURN) {
      for (const block of await this.blocks(numbers.slice(done, done + BLOCKS_A_TURN))) {
        while ((ids[at] ?? Number.POSITIVE_INFINITY) < block.first) at++;
        for (let id = ids[at]; id !== undefined && id < block.first + BLOCK_SIZE; id = ids[++at]) {
          const offset = id - block.first;
          if ((block.channels[offset] ?? NONE) !== NONE) found.push(block.row(offset));
        }
      }
    }
    return found;
  }

  /** Numbers of a topic's spellings. */
  async topics(channelId: number, topicKey: string): Promise<ReadonlySet<number>> {
    return numbersOf(await this.places().find({ channelId, topicKey }, { projection: { number: 1 } }));
  }

  /** Numbers of a user's direct-message conversations, or of one of them. */
  async conversations(userId: number, dmKey: string | null): Promise<ReadonlySet<number>> {
    const filter = dmKey === null ? { participants: userId } : { _id: dmKey };
    return numbersOf(await this.places().find(filter, { projection: { number: 1 } }));
  }

  /** The documents of places, by number. */
  async named(numbers: ReadonlySet<number>): Promise<ReadonlyMap<number, PlaceDocument>> {
    const missing = [...numbers].filter((number) => !this.names.has(number));
    if (this.names.size + missing.length > MOST_NAMES) this.names.clear();
    const found = new Map<number, PlaceDocument>();
    for (let at = 0; at < missing.length; at += NAMES_AT_ONCE) {
      const $in = missing.slice(at, at + NAMES_AT_ONCE);
      for (const place of await this.places().find({ number: { $in } })) {
        if (this.names.size < MOST_NAMES) this.names.set(place.number, place);
        found.set(place.number, place);
      }
    }
    for (const number of numbers) {
      const known = found.get(number) ?? this.names.get(number);
      if (known) found.set(number, known);
    }
    return found;
  }

  /** Drops blocks that have changed. Callers that wait for their turn share the next one. */
  private refresh(): Promise<void> {
    this.nextRefresh ??= this.refreshing.run(async () => {
      this.nextRefresh = null;
      const position = this.readModels.position(messages);
      if (this.held.size > 0) {
        // An event that is applied in parts changes blocks before the position moves.
        const changed = await this.blockDocuments().find(
          { position: { $gt: this.position } },
          { projection: { position: 1 } },
        );
        for (const { _id } of changed) this.held.delete(_id);
      }
      this.position = Math.max(this.position, position);
    });
    return this.nextRefresh;
  }

  private async newestBlock(): Promise<number> {
    const [newest] = await this.blockDocuments().find({}, { sort: { _id: -1 }, limit: 1, projection: { _id: 1 } });
    return newest?._id ?? -1;
  }

  /** The blocks, in the order of `numbers`. */
  private async blocks(numbers: readonly number[]): Promise<readonly MessageBlock[]> {
    const missing = numbers.filter((number) => !this.held.has(number));
    const before = this.position;
    const read = new Map<number, MessageBlock>();
    if (missing.length > 0)
      for (const document of await this.blockDocuments().find({ _id: { $in: missing } }))
        read.set(document._id, new MessageBlock(document));
    const found = numbers.flatMap((number) => {
      const block = read.get(number) ?? this.held.get(number);
      return block ? [block] : [];
    });
    // If a refresh ran meanwhile, the blocks may be outdated: they are not held.
    if (this.position === before) for (const [number, block] of read) this.held.set(number, block);
    return found;
  }

  private blockDocuments() {
    return this.readModels.collection<BlockDocument>(messages, BLOCKS);
  }

  private places() {
    return this.readModels.collection<PlaceDocument>(messages, PLACES);
  }
}

/** The bits of one block at a time: nothing is awaited between filling and reading them. */
const BITS = new Uint32Array(WORDS);

function mayHold(block: MessageBlock, { conversations }: PlacesWanted, channels: Uint8Array): boolean {
  return conversations.size > 0 || block.channels.some((channelId) => channels[channelId] === 1);
}

function take(
  block: MessageBlock,
  wanted: RowsWanted,
  channels: Uint8Array,
  direction: Direction,
  found: MessageRow[],
): void {
  const { bits, conversations, topics, ids, accepts } = wanted;
  if (bits && !bits(block.first, BITS)) return;
  const first = Math.max(0, ids.from - block.first);
  const last = Math.min(block.count - 1, ids.to - block.first);
  for (let step = 0; step <= last - first; step++) {
    const at = direction === 1 ? first + step : last - step;
    if (bits) {
      const word = BITS[at >>> 5] ?? 0;
      if (word === 0) {
        // Skips the rest of the word.
        step += direction === 1 ? 31 - (at & 31) : at & 31;
        continue;
      }
      if (((word >>> (at & 31)) & 1) === 0) continue;
    }
    const channelId = block.channels[at] ?? NONE;
    if (channelId === NONE) continue;
    const place = block.places[at] ?? 0;
    if (channelId === DIRECT ? !conversations.has(place) : channels[channelId] !== 1) continue;
    if (topics !== null && !topics.has(place)) continue;
    const row = block.row(at);
    if (accepts(row)) found.push(row);
  }
}

function tableOf(ids: ReadonlySet<number>): Uint8Array {
  const flags = new Uint8Array(Math.max(0, ...ids) + 1);
  for (const id of ids) flags[id] = 1;
  return flags;
}

const numbersOf = (places: readonly Pick<PlaceDocument, 'number'>[]): ReadonlySet<number> =>
  new Set(places.map(({ number }) => number));

export const sharedMessageRows: FactoryProvider<MessageRows> = {
  provide: MessageRows,
  inject: [READ_MODELS],
  useFactory: MessageRows.sharedBy,
};
