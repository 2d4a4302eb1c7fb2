import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { placeOf } from '../../platform/log/unreadable-event.js';
import { leafOfReadable } from '../../platform/transparency/leaf.js';
import { leafHash } from '../../platform/transparency/merkle.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH, tilePath } from '../../platform/transparency/tile-paths.js';
import { entriesIn, TileDamaged } from '../../platform/transparency/tiled-tree.js';
import type { HeadDocument } from '../../platform/transparency/tree.documents.js';
import { nameOf } from '../verify/verify-keys.js';

interface Compared {
  readonly tree: Pick<PublishedTree, 'leavesAround' | 'tiles'>;
  readonly eventStore: Pick<EventStore, 'newestOfEachType' | 'readAt'>;
  /** Places of unreadable events that are passed over. */
  readonly skipped: ReadonlySet<string>;
}

/**
 * Compares the newest event of each type with its leaf. A log that names types apart from events could be made to show all events of
 * one as another's.
 * @throws TileDamaged, UnreadableEvent
 */
export async function differenceInTypes(
  { position: last, size }: HeadDocument,
  { tree, eventStore, skipped }: Compared,
): Promise<string | null> {
  const newest = (await eventStore.newestOfEachType?.()) ?? [];
  const events = (await eventStore.readAt?.(newest.filter((position) => position <= last))) ?? [];
  for (const event of events) {
    if (skipped.has(placeOf(event))) continue;
    const { number, leaf } = await leafAt(event, size, tree);
    if (!leafOfReadable(event).equals(leaf))
      return `changed: event ${number}, ${nameOf(event)}, is not the one of the tree`;
  }
  return null;
}

async function leafAt(
  { position }: StoredEvent,
  size: number,
  tree: Pick<PublishedTree, 'leavesAround' | 'tiles'>,
): Promise<{ readonly number: number; readonly leaf: Buffer }> {
  const leaves = await tree.leavesAround(position);
  const place = leaves?.positions.indexOf(position) ?? -1;
  if (!leaves || place < 0) throw new TileDamaged(`it does not have the position ${position}`);
  const index = leaves._id;
  const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
  const bundle = await tree.tiles.read(tilePath({ level: 'entries', index, width }));
  const tile = await tree.tiles.read(tilePath({ level: 0, index, width }));
  const entries = bundle === null ? [] : entriesIn(bundle);
  const leaf = entries[place];
  if (!leaf || !tile?.equals(Buffer.concat(entries.map(leafHash))))
    throw new TileDamaged(`the leaves of ${index} are missing, or others than their hashes`);
  return { number: index * TILE_WIDTH + place + 1, leaf };
}
