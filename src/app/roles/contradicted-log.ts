import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import { inDatabase } from '../../platform/documents/in-database.js';
import type { Engines } from '../../platform/engines/engines.js';
import { atRevision, type EventStore, isThere, type StoredEvent } from '../../platform/log/event-store.js';
import { CHECKPOINTS_DATABASE, checkpointCollections } from '../../platform/transparency/checkpoint.documents.js';
import type { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { nameIn } from '../../platform/transparency/checkpoint-store.js';
import { largestClaims } from '../../platform/transparency/claims.js';
import { type GivenUp, isGivenUp } from '../../platform/transparency/given-up.js';
import { leafOfReadable } from '../../platform/transparency/leaf.js';
import { leafHash, treeRoot } from '../../platform/transparency/merkle.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import type { Checkpoint } from '../../platform/transparency/signed-note.js';
import { TILE_WIDTH, tilePath } from '../../platform/transparency/tile-paths.js';
import { entriesIn, TileDamaged, TiledTree } from '../../platform/transparency/tiled-tree.js';
import { type HeadDocument, TREE_DATABASE, treeCollections } from '../../platform/transparency/tree.documents.js';
import type { Chunk } from '../verify/chunk.js';
import { differenceIn, eventsOf, leavesOf, tileFault } from '../verify/verify-chunk.js';
import { nameOf } from '../verify/verify-keys.js';

/** Looks in a row that must find the difference: a replica that answers may be a little behind. */
const LOOKS_TO_BE_SURE = 3;
const LOOK_EVERY_MS = 1000;

/**
 * Compares the newest events with the tree, and the tree with what was signed. @returns the checkpoint that the log
 * contradicts; null: none
 * @throws TileDamaged, UnreadableEvent
 */
export async function contradictedBy(
  { eventStore, documentStore }: Pick<Engines, 'eventStore' | 'documentStore'>,
  {
    file,
    isShared,
    skipped,
    givenUp,
  }: {
    readonly file: CheckpointFile;
    readonly isShared: boolean;
    readonly skipped: ReadonlySet<string>;
    readonly givenUp: readonly GivenUp[];
  },
): Promise<Contradicted | null> {
  if (!(await documentStore.databases()).includes(TREE_DATABASE)) return null;
  // Others are not read: on SQLite, each is a file to open.
  const [checkpoint] = await documentStore.checkpoints(TREE_DATABASE);
  return PublishedTree.within(documentStore, async (tree) => {
    const head = await tree.head();
    if (!head) return null;
    const compared = { tree, eventStore, skipped };
    const claims = (await claimsIn(documentStore, file)).filter((claim) => !isGivenUp(claim, givenUp));
    for (let looks = 1; ; looks++) {
      const found = (await byHead(head, compared)) ?? (await contradictedClaim(claims, head, compared));
      if (found === null || !isShared || looks === LOOKS_TO_BE_SURE) return found;
      await sleep(LOOK_EVERY_MS);
    }
  });

  async function byHead(head: HeadDocument, compared: Compared): Promise<Contradicted | null> {
    const { verifier, note, size, root } = head;
    if (verifier === null || note === null) return null;
    const lacks = checkpoint?.event ? !(await isThere(eventStore, checkpoint.event)) : false;
    const how = lacks
      ? 'its newest event is not in the log'
      : ((await differenceAtEnd(head, compared)) ?? (await differenceInTypes(head, compared)));
    return how === null ? null : { origin: nameIn(verifier), size, root, how };
  }
}

interface Compared {
  readonly tree: PublishedTree;
  readonly eventStore: EventStore;
  /** Places of unreadable events that are passed over. */
  readonly skipped: ReadonlySet<string>;
}

/** Compares the events of the tree's last two bundles. @throws TileDamaged, UnreadableEvent */
async function differenceAtEnd(
  { size, root }: HeadDocument,
  { tree, eventStore, skipped }: Compared,
): Promise<string | null> {
  const lastBundle = Math.floor((size - 1) / TILE_WIDTH);
  const chunk: Chunk = { from: Math.max(lastBundle - 1, 0) * TILE_WIDTH, to: size };
  const expected = await leavesOf(chunk, tree);
  const fault = await tileFault(chunk, expected.map(leafHash), tree);
  if (expected.length < size - chunk.from || fault !== null) throw new TileDamaged(fault ?? 'leaves are missing');
  const own = await treeRoot(size, await TiledTree.open(tree.tiles, size));
  if (own.toString('base64') !== root) throw new TileDamaged('its head has another root than its tiles');
  const events = await eventsOf(chunk, eventStore, tree);
  const leaves = events.map(
    (event, at) => (skipped.has(atRevision(event)) ? expected[at] : undefined) ?? leafOfReadable(event),
  );
  return differenceIn(chunk, { eventStore, tree }, leaves);
}

/** A signed checkpoint that the log contradicts. */
export interface Contradicted {
  /** The name of the log that signed it. */
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** What is wrong with the log. */
  readonly how: string;
}

/** Reads the largest checkpoints that were signed, by each name and key. @throws StartRefused if the file cannot be read */
async function claimsIn(store: DocumentStore, file: CheckpointFile): Promise<readonly Checkpoint[]> {
  return inDatabase(store, CHECKPOINTS_DATABASE, checkpointCollections, (checkpoints) =>
    inDatabase(store, TREE_DATABASE, treeCollections, (tree) => largestClaims({ checkpoints, tree, file })),
  );
}

/**
 * The largest of the checkpoints that the stored tree contradicts, in bounded time. One that is larger than the tree is
 * compared later, when the tree has come as far, unless the log ends before it. @throws TileDamaged
 */
async function contradictedClaim(
  claims: readonly Checkpoint[],
  head: HeadDocument,
  { tree, eventStore }: Compared,
): Promise<Contradicted | null> {
  for (const claim of [...claims].sort((one, other) => other.size - one.size)) {
    const how = claim.size > head.size ? await lackOf(claim.size) : await differenceOf(claim);
    if (how !== null) return { ...claim, root: claim.root.toString('base64'), how };
  }
  return null;

  async function lackOf(size: number): Promise<string | null> {
    const missing = size - head.size;
    const { events, caughtUp } = await eventStore.readAll({
      after: head.position,
      limit: Math.min(missing, MOST_BEHIND),
    });
    return caughtUp && events.length < missing ? `it has ${head.size + events.length} events` : null;
  }

  async function differenceOf({ size, root }: Checkpoint): Promise<string | null> {
    const own = await treeRoot(size, tree.subtrees);
    return own.equals(root) ? null : `its first ${size} events have the root ${own.toString('base64')}`;
  }
}

/** Events behind the tree that a start looks at. */
const MOST_BEHIND = 1000;

/**
 * Compares the newest event of each type with its leaf. A log that names types apart from events could be made to show all
 * events of one as another's.
 * @throws TileDamaged, UnreadableEvent
 */
async function differenceInTypes(
  { position: last, size }: HeadDocument,
  { tree, eventStore, skipped }: Compared,
): Promise<string | null> {
  const newest = (await eventStore.newestOfEachType?.()) ?? [];
  const events = (await eventStore.readAt?.(newest.filter((position) => position <= last))) ?? [];
  for (const event of events) {
    if (skipped.has(atRevision(event))) continue;
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
