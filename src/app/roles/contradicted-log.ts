import { setTimeout as sleep } from 'node:timers/promises';
import type { Engines } from '../../platform/engines/engines.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { isThere } from '../../platform/log/is-there.js';
import { placeOf } from '../../platform/log/unreadable-event.js';
import type { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { nameIn } from '../../platform/transparency/checkpoint-store.js';
import { type GivenUp, isGivenUp } from '../../platform/transparency/given-up.js';
import { leafOfReadable } from '../../platform/transparency/leaf.js';
import { leafHash, treeRoot } from '../../platform/transparency/merkle.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH } from '../../platform/transparency/tile-paths.js';
import { TileDamaged, TiledTree } from '../../platform/transparency/tiled-tree.js';
import { type HeadDocument, TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import type { Chunk } from '../verify/chunk.js';
import { differenceIn, eventsOf, leavesOf, tileFault } from '../verify/verify-chunk.js';
import { type Contradicted, claimsIn, contradictedClaim } from './contradicted-claim.js';
import { differenceInTypes } from './difference-in-types.js';

/** Looks in a row that must find the difference: a replica that answers may be a little behind. */
const LOOKS_TO_BE_SURE = 3;
const LOOK_EVERY_MS = 1000;

/**
 * Compares the newest events with the tree, and the tree with what was signed. @returns the checkpoint that the log contradicts; null: none
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
  const tree = await PublishedTree.open(documentStore);
  try {
    const head = await tree.head();
    if (!head) return null;
    const claims = (await claimsIn(documentStore, file)).filter((claim) => !isGivenUp(claim, givenUp));
    for (let looks = 1; ; looks++) {
      const found = (await byHead(head)) ?? (await contradictedClaim(claims, { head, tree, eventStore }));
      if (found === null || !isShared || looks === LOOKS_TO_BE_SURE) return found;
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await tree.onApplicationShutdown();
  }

  async function byHead(head: HeadDocument): Promise<Contradicted | null> {
    const { verifier, note, size, root } = head;
    if (verifier === null || note === null) return null;
    const lacks = checkpoint?.event ? !(await isThere(eventStore, checkpoint.event)) : false;
    const how = lacks
      ? 'its newest event is not in the log'
      : ((await differenceAtEnd(head, { tree, eventStore, skipped })) ??
        (await differenceInTypes(head, { tree, eventStore, skipped })));
    return how === null ? null : { origin: nameIn(verifier), size, root, how };
  }
}

/** Compares the events of the tree's last two bundles. @throws TileDamaged, UnreadableEvent */
async function differenceAtEnd(
  { size, root }: HeadDocument,
  {
    tree,
    eventStore,
    skipped,
  }: { readonly tree: PublishedTree; readonly eventStore: EventStore; readonly skipped: ReadonlySet<string> },
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
    (event, at) => (skipped.has(placeOf(event)) ? expected[at] : undefined) ?? leafOfReadable(event),
  );
  return differenceIn(chunk, { eventStore, tree }, leaves);
}
