import type { DocumentStore } from '../../platform/documents/document-store.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { CHECKPOINTS_DATABASE, checkpointCollections } from '../../platform/transparency/checkpoint.documents.js';
import type { Checkpoint } from '../../platform/transparency/checkpoint.js';
import type { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { largestClaims } from '../../platform/transparency/claims.js';
import { treeRoot } from '../../platform/transparency/merkle.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import { type HeadDocument, TREE_DATABASE, treeCollections } from '../../platform/transparency/tree.documents.js';

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
export async function claimsIn(store: DocumentStore, file: CheckpointFile): Promise<readonly Checkpoint[]> {
  const [checkpoints, tree] = [await store.database(CHECKPOINTS_DATABASE), await store.database(TREE_DATABASE)];
  try {
    await checkpoints.ensure(checkpointCollections);
    await tree.ensure(treeCollections);
    return await largestClaims({ checkpoints, tree, file });
  } finally {
    await checkpoints.close();
    await tree.close();
  }
}

/**
 * The largest of the checkpoints that the stored tree contradicts, in bounded time. One that is larger than the tree is compared later,
 * when the tree has come as far, unless the log ends before it. @throws TileDamaged
 */
export async function contradictedClaim(
  claims: readonly Checkpoint[],
  {
    head,
    tree,
    eventStore,
  }: { readonly head: HeadDocument; readonly tree: PublishedTree; readonly eventStore: EventStore },
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
