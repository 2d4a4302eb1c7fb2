import type { EventStore, PositionRange, StoredEvent } from '../../platform/log/event-store.js';
import { leafOf } from '../../platform/transparency/leaf.js';
import { type Hash, leafHash } from '../../platform/transparency/merkle.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH, tilePath } from '../../platform/transparency/tile-paths.js';
import { bundleOf, entriesIn, rootOf } from '../../platform/transparency/tiled-tree.js';
import { firstSealedIn } from '../cli/copy-keys.js';
import { type Chunk, type ChunkReport, Revisions, type VerifiedParts } from './chunk.js';
import { endedKeys, keysOf, nameOf, type SealedThere } from './verify-keys.js';
import { verifyTexts } from './verify-texts.js';

/** Compares a part of the log with the tree, and collects what the whole is checked by. */
export async function verifyChunk(chunk: Chunk, parts: VerifiedParts): Promise<ChunkReport> {
  const report = (await verifyTexts(chunk, parts)) ?? (await verifyEvents(chunk, parts));
  const fault = report.fault === null ? await misfiledIn(chunk, parts) : null;
  return fault === null ? report : { ...NOTHING, fault };
}

/** Names the first event that is not found by its stream or type. The leaf does not tell how an event is filed. */
async function misfiledIn({ from, to }: Chunk, { eventStore, tree }: VerifiedParts): Promise<string | null> {
  const [first, last] = [await tree.positionBefore(from), (to - 1) % TILE_WIDTH];
  const until = (await tree.leaves(Math.floor((to - 1) / TILE_WIDTH)))?.positions[last];
  if (first === null || until === undefined) return null;
  return misfiledBetween({ after: first, until }, eventStore);
}

export async function misfiledBetween(
  range: PositionRange,
  eventStore: Pick<EventStore, 'readAll' | 'misfiled'>,
): Promise<string | null> {
  const found = await eventStore.misfiled?.(range);
  if (!found) return null;
  const { events } = await eventStore.readAll({ after: found.position - 1, limit: 1 });
  const [event] = events.filter(({ position }) => position === found.position);
  const name = event ? nameOf(event) : 'an event';
  return `${name} at position ${found.position} is missed by readings by stream or type: ${found.why}`;
}

/** Compares the events one by one, and finds the first fault. */
async function verifyEvents(
  chunk: Chunk,
  { eventStore, contentKeys, tree, opensContent }: VerifiedParts,
): Promise<ChunkReport> {
  const events = await eventsOf(chunk, eventStore, tree);
  const bundles = await bundlesOf(chunk, tree);
  const leaves = events.map((event) => leafOf(event).data);
  const hashes = leaves.map(leafHash);
  const areThese = bundleOf(leaves).equals(Buffer.concat(bundles)) && leaves.length === chunk.to - chunk.from;
  const fault =
    (areThese ? null : await leafFault(chunk, { eventStore, tree }, leaves, hashes)) ??
    (await tileFault(chunk, hashes, tree)) ??
    (await placeFault(chunk, events, tree));
  if (fault !== null) return { ...NOTHING, fault };
  const keys = await keysOf(sealedIn(events), contentKeys, opensContent);
  if (keys.fault !== null) return { ...NOTHING, fault: keys.fault };
  const revisions = new Revisions();
  for (const { stream, revision, type, id } of events) {
    const before = revisions.add(stream, revision);
    if (before !== null)
      return { ...NOTHING, fault: `${type} ${id} has revision ${revision} of ${stream}, after ${before}` };
  }
  return {
    fault: null,
    tileRoots: rootsOf(hashes),
    streams: revisions.streams(),
    missingKeys: keys.missing,
    endedKeys: endedKeys(events),
  };
}

export const sealedIn = (events: readonly StoredEvent[]): ReadonlyMap<string, SealedThere> =>
  new Map([...firstSealedIn(events)].map(([keyId, { sealed, event }]) => [keyId, { sealed, event: () => event }]));

/** Finds why the leaves are not those of the bundles. */
const leafFault = async (
  chunk: Chunk,
  parts: Pick<VerifiedParts, 'eventStore' | 'tree'>,
  leaves: readonly Buffer[],
  hashes: readonly Hash[],
): Promise<string | null> =>
  (await bundleFault(chunk, leaves, hashes, parts.tree)) ?? differenceIn(chunk, parts, leaves);

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

export const leavesOf = async (chunk: Chunk, tree: PublishedTree): Promise<Buffer[]> =>
  (await bundlesOf(chunk, tree)).flatMap(entriesIn);

/** The bundles of its leaves, up to one that is missing. */
async function bundlesOf({ from, to }: Chunk, tree: PublishedTree): Promise<Buffer[]> {
  const bundles: Buffer[] = [];
  for (let index = from; index < to; index += TILE_WIDTH) {
    const width = Math.min(TILE_WIDTH, to - index);
    const bundle = await tree.tiles.read(tilePath({ level: 'entries', index: index / TILE_WIDTH, width }));
    if (bundle === null) return bundles;
    bundles.push(bundle);
  }
  return bundles;
}

/** Names the first event that is not the tree's. @param leaves of the log @returns null if there is none */
export async function differenceIn(
  chunk: Chunk,
  { eventStore, tree }: Pick<VerifiedParts, 'eventStore' | 'tree'>,
  leaves: readonly Buffer[],
): Promise<string | null> {
  const expected = await leavesOf(chunk, tree);
  const count = chunk.to - chunk.from;
  if (expected.length < count)
    return `the tree has no leaf of event ${chunk.from + expected.length + 1}: its tile is missing or too short`;
  const n = expected.findIndex((leaf, at) => !leaves[at]?.equals(leaf));
  if (n < 0) return null;
  // The last event is told apart by the one behind it.
  const wider = { from: chunk.from, to: chunk.to + 1 };
  const more = await leavesOf(wider, tree);
  return differenceAt(n, await eventsOf(wider, eventStore, tree), more.length > count ? more : expected, chunk.from);
}

/** @param n place of the first difference among the events and the leaves, which begin at the index `from` */
function differenceAt(n: number, events: readonly StoredEvent[], expected: readonly Buffer[], from: number): string {
  const leaves = events.map((event) => leafOf(event).data);
  const [leaf, wanted, event] = [leaves[n], expected[n], events[n]];
  const number = from + n + 1;
  if (!event || !leaf || !wanted) return `event ${number} is missing, and all after it: the log ends before its tree`;
  const name = nameOf(event);
  const isElsewhere = leaves.some((other, at) => at !== n && other.equals(leaf));
  const place = isElsewhere ? -1 : expected.findIndex((other) => other.equals(leaf));
  const moved = leaves.findIndex((other) => other.equals(wanted));
  if (moved === n + 1)
    return place < 0
      ? `added: ${name}, before event ${number}`
      : `out of order: ${name} is event ${from + place + 1}, and stands before event ${number}`;
  const [last, after] = [events[moved], events[moved - 1]];
  if (place === n + 1)
    return last && after
      ? `out of order: ${nameOf(last)} is event ${number}, and stands after ${nameOf(after)}`
      : `missing: event ${number}, before ${name}`;
  if (place >= 0) return `out of order: ${name} is event ${from + place + 1}, and stands in place of event ${number}`;
  return `changed: event ${number}, ${name}, is not the one of the tree`;
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

/** Finds a bundle that has other leaves than the tile of its hashes. So it is the bundle that was changed, not the log. */
async function bundleFault(
  { from, to }: Chunk,
  leaves: readonly Buffer[],
  hashes: readonly Hash[],
  tree: PublishedTree,
): Promise<string | null> {
  if (leaves.length < to - from) return null;
  for (let n = 0; n < to - from; n += TILE_WIDTH) {
    const own = leaves.slice(n, n + TILE_WIDTH);
    const [index, width] = [(from + n) / TILE_WIDTH, own.length];
    const path = tilePath({ level: 'entries', index, width });
    if ((await tree.tiles.read(path))?.equals(bundleOf(own))) continue;
    const tile = await tree.tiles.read(tilePath({ level: 0, index, width }));
    return tile?.equals(Buffer.concat(hashes.slice(n, n + width)))
      ? `${path} of the tree does not have the leaves of its hashes`
      : null;
  }
  return null;
}

/** Finds a document that has other positions than the events of its leaves. */
async function placeFault(
  { from }: Chunk,
  events: readonly StoredEvent[],
  tree: PublishedTree,
): Promise<string | null> {
  for (let n = 0; n < events.length; n += TILE_WIDTH) {
    const index = (from + n) / TILE_WIDTH;
    const own = events.slice(n, n + TILE_WIDTH);
    const stored = await tree.leaves(index);
    // The tile may have grown meanwhile.
    const at = own.findIndex(({ position }, place) => stored?.positions[place] !== position);
    if (at >= 0 || stored?.first !== own[0]?.position)
      return `the tree has another position of event ${from + n + Math.max(at, 0) + 1}: leaves/${index} is changed`;
  }
  return null;
}

function rootsOf(hashes: readonly Hash[]): string[] {
  const roots: string[] = [];
  for (let n = 0; n + TILE_WIDTH <= hashes.length; n += TILE_WIDTH)
    roots.push(rootOf(hashes.slice(n, n + TILE_WIDTH)).toString('base64'));
  return roots;
}
