import { TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import { openTreeKeeper } from '../../features/transparency/reactors/open-tree-keeper.js';
import type { Engines } from '../../platform/engines/engines.js';
import { CheckpointFile } from '../../platform/transparency/checkpoint-file.js';
import { nameIn } from '../../platform/transparency/checkpoint-store.js';
import { givenUpCheckpoints } from '../../platform/transparency/given-up.js';
import { existingSigner } from '../../platform/transparency/open-signer.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { type HeadDocument, TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import { type Config, checkpointSettingsOf, engineSettingsOf } from '../config/config.js';
import { contradictedBy } from '../roles/contradicted-log.js';
import { skippedPlaces } from '../roles/skipped-events.js';
import { isBehind } from '../verify/events-behind.js';

/** Reads checkpoints. A command does not know whether the server's file is this one: the next start appends what it lacks. */
class UnwrittenFile extends CheckpointFile {
  override async append(): Promise<void> {}
}

/**
 * Appends events as the only process on embedded engines, and takes them into the signed tree. If the tree lacked others
 * before, it stays as it is: an operator is to see those. So it does if its signer is not among the keys, or the log
 * contradicts a checkpoint.
 */
export async function withTree<T>(engines: Engines, config: Config, append: () => Promise<T>): Promise<T> {
  const head = engineSettingsOf(config).distributed ? null : await wholeHead(engines).catch(() => null);
  const result = await append();
  // The next start takes them in.
  if (head !== null) await takeIn(engines, config, head).catch(() => {});
  return result;
}

/** @returns the signed head of a tree that has every event; null: there is none */
async function wholeHead({ eventStore, projectionStore }: Engines): Promise<HeadDocument | null> {
  if (!(await projectionStore.databases()).includes(TREE_DATABASE)) return null;
  return PublishedTree.within(projectionStore, async (tree) => {
    const head = await tree.head();
    if (head === null || head.note === null) return null;
    return (await isBehind(head, await eventStore.head(), eventStore)) ? null : head;
  });
}

async function takeIn(
  { eventStore, projectionStore: documentStore, contentKeys }: Engines,
  config: Config,
  { verifier }: HeadDocument,
): Promise<void> {
  const givenUp = await givenUpCheckpoints(eventStore, TRANSPARENCY_STREAM);
  const signer = await existingSigner(contentKeys, { origin: nameIn(verifier ?? ''), keyFile: null, restored: null });
  if (signer === null || String(signer.verifier) !== verifier) return;
  const checkpoints = { ...checkpointSettingsOf(config), webhookUrl: null, witnesses: [] };
  const file = new UnwrittenFile(checkpoints.file);
  const skipped = await skippedPlaces(eventStore);
  if (await contradictedBy({ eventStore, documentStore }, { file, isShared: false, skipped, givenUp })) return;
  const keeper = await openTreeKeeper({ eventStore, documentStore, checkpoints, report: () => {} }, signer, file);
  await keeper.takeIn(new AbortController().signal).finally(() => keeper.close());
}
