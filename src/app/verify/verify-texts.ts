import { hash } from 'node:crypto';
import { eventRegistry } from '../../events/event-registry.js';
import type { Position } from '../../platform/kernel/position.js';
import type { EventText, StoredEvent } from '../../platform/log/event-store.js';
import { type Hash, leafHash } from '../../platform/transparency/merkle.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH } from '../../platform/transparency/tile-paths.js';
import { entriesIn, rootOf } from '../../platform/transparency/tiled-tree.js';
import type { LeavesDocument } from '../../platform/transparency/tree.documents.js';
import { type Chunk, type ChunkReport, Revisions, type VerifiedParts } from './chunk.js';
import { endedKeys, keysOf, type SealedThere, tellsEnd } from './verify-keys.js';

/** What stands before content, and before the id of its key. In the texts of JSON, quotes would be escaped. */
const BOX = '{"box":"';
const KEY_ID = '","keyId":"';
/** What stands between a key's id and the commitment to the event's own key. */
const KEY_TAG = '","keyTag":"';
/** What stands before the 32 bytes of a leaf in a bundle: their number. */
const LENGTH = '0020';

/**
 * Compares a part of the log with the tree as `verifyChunk` does, by the texts of its events: what has the hash of the
 * leaf is canonical JSON, and little of it is parsed. It takes less than half the time.
 *
 * @returns null if the engine keeps no such texts, or something is not right: then the events tell what it is
 */
export async function verifyTexts(
  { from, to }: Chunk,
  { eventStore, contentKeys, tree, opensContent }: VerifiedParts,
): Promise<ChunkReport | null> {
  if (!eventStore.readTexts) return null;
  const found = new Found();
  let after = await tree.positionBefore(from);
  for (const part of await partsOf({ from, to }, tree)) {
    const events = after === null ? null : await nextTexts(after, part.width, eventStore);
    const hashes = events && hashesIn(part, events);
    if (events === null || hashes === null) return null;
    if (hashes.length === TILE_WIDTH) found.tileRoots.push(rootOf(hashes).toString('base64'));
    for (const event of events) if (!found.add(event)) return null;
    after = events.at(-1)?.position ?? null;
  }
  const keys = await keysOf(found.sealed, contentKeys, opensContent);
  if (keys.fault !== null) return null;
  return {
    fault: null,
    tileRoots: found.tileRoots,
    streams: found.streams,
    missingKeys: keys.missing,
    endedKeys: endedKeys(found.ending),
  };
}

/** The next texts; null: one has none, or the log ends before. */
async function nextTexts(
  from: Position,
  count: number,
  log: VerifiedParts['eventStore'],
): Promise<readonly WholeText[] | null> {
  const texts: WholeText[] = [];
  for (let after = from; texts.length < count; ) {
    const page = (await log.readTexts?.({ after, limit: count - texts.length })) ?? [];
    for (const { position, text } of page) {
      if (text === null) return null;
      texts.push({ position, text });
      after = position;
    }
    if (page.length === 0) return null;
  }
  return texts;
}

/** What the tree has of up to 256 neighbouring events. */
interface TreePart {
  readonly width: number;
  readonly bundle: Buffer | null;
  readonly tile: Buffer | null;
  readonly places: LeavesDocument | undefined;
}

async function partsOf({ from, to }: Chunk, tree: PublishedTree): Promise<readonly TreePart[]> {
  const [first, end] = [from / TILE_WIDTH, Math.ceil(to / TILE_WIDTH)];
  const names = Array.from({ length: end - first }, (_, n) => {
    const index = first + n;
    return { index, width: Math.min(TILE_WIDTH, to - index * TILE_WIDTH) };
  });
  const bundles = await tree.tiles.readMany(names.map((name) => ({ ...name, level: 'entries' })));
  const tiles = await tree.tiles.readMany(names.map((name) => ({ ...name, level: 0 })));
  const places = await tree.leavesBetween(first, end);
  return names.map(({ index, width }, n) => ({
    width,
    bundle: bundles[n] ?? null,
    tile: tiles[n] ?? null,
    places: places.get(index),
  }));
}

/** The hashes of the texts as leaves; null if the tree has others, or other positions. */
function hashesIn({ bundle, tile, places }: TreePart, texts: readonly WholeText[]): readonly Hash[] | null {
  const leaves = texts.map(({ text }) => `${LENGTH}${hash('sha256', text)}`).join('');
  if (bundle?.toString('hex') !== leaves) return null;
  const hashes = entriesIn(bundle).map(leafHash);
  if (!tile?.equals(Buffer.concat(hashes))) return null;
  const areThere = texts.every(({ position }, n) => places?.positions[n] === position);
  return areThere && places?.first === texts[0]?.position ? hashes : null;
}

/** What the texts of right events say. */
class Found {
  readonly tileRoots: string[] = [];
  /** By the JSON text of their names. */
  private readonly revisions = new Revisions();
  readonly sealed = new Map<string, SealedThere>();
  /** Events that end keys. */
  readonly ending: StoredEvent[] = [];

  get streams(): ChunkReport['streams'] {
    return this.revisions.streams((stream) => JSON.parse(stream));
  }

  /** @returns false if it does not follow the event before it in its stream */
  add({ position, text }: WholeText): boolean {
    const tail = tailOf(text);
    if (this.revisions.add(tail.stream, tail.revision) !== null) return false;
    this.addSealed(text, position);
    if (ENDING.has(tail.type)) this.ending.push({ ...JSON.parse(text), position });
    return true;
  }

  private addSealed(text: string, position: Position): void {
    for (let at = text.indexOf(BOX); at >= 0; at = text.indexOf(BOX, at + 1)) {
      const end = text.indexOf('"', at + BOX.length);
      if (!text.startsWith(KEY_ID, end)) continue;
      const endOfId = text.indexOf('"', end + KEY_ID.length);
      const keyId = text.slice(end + KEY_ID.length, endOfId);
      if (this.sealed.has(keyId)) continue;
      const box = text.slice(at + BOX.length, end);
      const tag = text.startsWith(KEY_TAG, endOfId) ? { keyTag: stringAt(text, endOfId + KEY_TAG.length) } : {};
      this.sealed.set(keyId, { sealed: { box, keyId, ...tag }, event: () => ({ ...JSON.parse(text), position }) });
    }
  }
}

const stringAt = (text: string, start: number): string => text.slice(start, text.indexOf('"', start));

/** The JSON texts of the types that end keys. */
const ENDING = new Set([...eventRegistry.keys()].filter(tellsEnd).map((type) => JSON.stringify(type)));

const STREAM = ',"stream":';
const TYPE = ',"type":';
const VERSION = ',"version":';

/** What is behind the metadata; names as JSON texts. Quotes in them are escaped. */
function tailOf(text: string): { revision: number; stream: string; type: string } {
  const version = text.lastIndexOf(VERSION);
  const type = text.lastIndexOf(TYPE, version);
  const stream = text.lastIndexOf(STREAM, type);
  return {
    revision: Number(text.slice(text.lastIndexOf(':', stream) + 1, stream)),
    stream: text.slice(stream + STREAM.length, type),
    type: text.slice(type + TYPE.length, version),
  };
}

type WholeText = EventText & { readonly text: string };
