import { eventRegistry } from '../../events/event-registry.js';
import type { ContentKeys } from '../../platform/content-keys/content-keys.js';
import { endsKeys } from '../../platform/kernel/content-duties.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { leafOf } from '../../platform/transparency/leaf.js';
import { type Hash, leafHash } from '../../platform/transparency/merkle.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH, tilePath } from '../../platform/transparency/tile-paths.js';
import { entriesIn, rootOf } from '../../platform/transparency/tiled-tree.js';
import { keyIdsIn } from '../cli/copy-keys.js';

/** A part of the log: neighbouring events, whole tiles but for the last. */
export interface Chunk {
  /** Index of the first leaf, a multiple of 256. */
  readonly from: number;
  /** Index after the last leaf. */
  readonly to: number;
}

/** What a part of the log says about the whole. */
export interface ChunkReport {
  /** The first fault; null: there is none, and the rest of the report counts. */
  readonly fault: string | null;
  /** Base64 of the roots of its full tiles. */
  readonly tileRoots: readonly string[];
  /** Each stream with the first and the last revision here. */
  readonly streams: readonly (readonly [stream: string, first: number, last: number])[];
  /** Keys of sealed content that are not there, with the event that needs each. */
  readonly missingKeys: readonly (readonly [keyId: string, event: string])[];
  /** Keys whose end an event here tells. */
  readonly endedKeys: readonly string[];
}

export interface VerifiedParts {
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly contentKeys: Pick<ContentKeys, 'getMany'>;
  readonly tree: PublishedTree;
}

/** Keys of events are named by their ids. Others are of a month, and end with their time. */
const OF_EVENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const NO_KEYS = { getMany: async () => new Map<string, never>() };
const codec = new EventCodec(NO_KEYS, eventRegistry);

/** Compares a part of the log with the tree, and collects what the whole is checked by. */
export async function verifyChunk(
  chunk: Chunk,
  { eventStore, contentKeys, tree }: VerifiedParts,
): Promise<ChunkReport> {
  const events = await eventsOf(chunk, eventStore, tree);
  const leaves = events.map((event) => leafOf(event).data);
  const expected = await leavesOf(chunk, tree);
  const difference = differenceIn(events, leaves, expected, chunk);
  if (difference !== null) return { ...NOTHING, fault: difference };
  const hashes = leaves.map(leafHash);
  const fault = await tileFault(chunk, hashes, tree);
  if (fault !== null) return { ...NOTHING, fault };
  const streams = new Map<string, [first: number, last: number]>();
  for (const { stream, revision, type, id } of events) {
    const known = streams.get(stream);
    if (known && revision !== known[1] + 1)
      return { ...NOTHING, fault: `${type} ${id} has revision ${revision} of ${stream}, after ${known[1]}` };
    if (known) known[1] = revision;
    else streams.set(stream, [revision, revision]);
  }
  return {
    fault: null,
    tileRoots: rootsOf(hashes),
    streams: [...streams].map(([stream, [first, last]]) => [stream, first, last]),
    missingKeys: await missingKeys(events, contentKeys),
    endedKeys: await endedKeys(events),
  };
}

const NOTHING: ChunkReport = { fault: null, tileRoots: [], streams: [], missingKeys: [], endedKeys: [] };

export async function eventsOf({ from, to }: Chunk, log: Pick<EventStore, 'readAll'>, tree: PublishedTree) {
  const events: StoredEvent[] = [];
  const before = await tree.positionBefore(from);
  if (before === null) return events;
  for (let after = before; events.length < to - from; ) {
    const page = await log.readAll({ after, limit: to - from - events.length });
    events.push(...page.events);
    after = page.position;
    if (page.caughtUp) break;
  }
  return events.slice(0, to - from);
}

export async function leavesOf({ from, to }: Chunk, tree: PublishedTree): Promise<Buffer[]> {
  const leaves: Buffer[] = [];
  for (let index = from; index < to; index += TILE_WIDTH) {
    const width = Math.min(TILE_WIDTH, to - index);
    const bundle = await tree.tiles.read(tilePath({ level: 'entries', index: index / TILE_WIDTH, width }));
    if (bundle === null) return leaves;
    leaves.push(...entriesIn(bundle));
  }
  return leaves;
}

/** Names the first event that is not the tree's. @returns null if there is none */
export function differenceIn(
  events: readonly StoredEvent[],
  leaves: readonly Buffer[],
  expected: readonly Buffer[],
  { from, to }: Chunk,
): string | null {
  if (expected.length < to - from)
    return `the tree has no leaf of event ${from + expected.length + 1}: its tile is missing or too short`;
  for (let n = 0; n < to - from; n++) {
    const [leaf, wanted, event] = [leaves[n], expected[n], events[n]];
    if (leaf && wanted && leaf.equals(wanted)) continue;
    const number = from + n + 1;
    if (!event || !leaf) return `event ${number} is missing, and all after it: the log ends before its tree`;
    const name = `${event.type} ${event.id} (${event.stream}@${event.revision})`;
    if (leaves[n + 1] && wanted && leaves[n + 1]?.equals(wanted)) return `added: ${name}, before event ${number}`;
    if (expected[n + 1]?.equals(leaf)) return `missing: event ${number}, before ${name}`;
    const place = expected.findIndex((other) => other.equals(leaf));
    if (place >= 0) return `out of order: ${name} is event ${from + place + 1}, and stands in place of event ${number}`;
    return `changed: event ${number}, ${name}, is not the one of the tree`;
  }
  return null;
}

export async function tileFault({ from }: Chunk, hashes: readonly Hash[], tree: PublishedTree): Promise<string | null> {
  for (let n = 0; n < hashes.length; n += TILE_WIDTH) {
    const own = hashes.slice(n, n + TILE_WIDTH);
    const path = tilePath({ level: 0, index: (from + n) / TILE_WIDTH, width: own.length });
    if (!(await tree.tiles.read(path))?.equals(Buffer.concat(own)))
      return `${path} of the tree does not have the hashes of its leaves`;
  }
  return null;
}

function rootsOf(hashes: readonly Hash[]): string[] {
  const roots: string[] = [];
  for (let n = 0; n + TILE_WIDTH <= hashes.length; n += TILE_WIDTH)
    roots.push(rootOf(hashes.slice(n, n + TILE_WIDTH)).toString('base64'));
  return roots;
}

async function missingKeys(
  events: readonly StoredEvent[],
  keys: Pick<ContentKeys, 'getMany'>,
): Promise<readonly (readonly [string, string])[]> {
  const needed = new Map<string, string>();
  for (const event of events)
    for (const keyId of keyIdsIn([event]))
      if (OF_EVENT.test(keyId) && !needed.has(keyId))
        needed.set(keyId, `${event.type} ${event.id} (${event.stream}@${event.revision})`);
  const found = needed.size === 0 ? new Map() : await keys.getMany([...needed.keys()]);
  return [...needed].filter(([keyId]) => !found.has(keyId));
}

async function endedKeys(events: readonly StoredEvent[]): Promise<readonly string[]> {
  const ending = events.filter(({ type }) => {
    const definition = eventRegistry.get(type);
    return definition !== undefined && endsKeys(definition);
  });
  return codec.endedBy(codec.decodeWithoutContent(ending)).keyIds;
}
