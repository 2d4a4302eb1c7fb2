import { TRANSPARENCY_STREAM } from '../../../events/transparency/transparency.events.js';
import { CheckpointFile } from '../../../platform/transparency/checkpoint-file.js';
import { CheckpointWebhook } from '../../../platform/transparency/checkpoint-webhook.js';
import { givenUpCheckpoints } from '../../../platform/transparency/given-up.js';
import { SignedCheckpoints } from '../../../platform/transparency/signed-checkpoints.js';
import type { NoteSigner } from '../../../platform/transparency/signed-note.js';
import type { TreeKeeper } from '../../../platform/transparency/tree-keeper.js';
import { Witnesses } from '../../../platform/transparency/witnesses.js';
import type { FeatureFollowerParts } from '../../feature.js';

interface TreeParts extends Pick<FeatureFollowerParts, 'eventStore' | 'documentStore' | 'checkpoints' | 'shared'> {
  readonly report: (problem: string) => void;
}

/** Opens the tree of the log without starting it. @param file of noted checkpoints */
export async function openTreeKeeper(
  { checkpoints: { noteEvery, webhookUrl, witnesses, ...named }, report, ...parts }: TreeParts,
  signer: NoteSigner,
  file = new CheckpointFile(named.file),
): Promise<TreeKeeper> {
  const { TreeKeeper } = await import('../../../platform/transparency/tree-keeper.js');
  const checkpoints = new SignedCheckpoints({
    documentStore: parts.documentStore,
    signer,
    file,
    givenUp: await givenUpCheckpoints(parts.eventStore, TRANSPARENCY_STREAM),
    noteEvery,
    readers: webhookUrl === null ? [] : [new CheckpointWebhook(webhookUrl, report)],
    witnesses: new Witnesses({ witnesses, report }),
    report,
  });
  return new TreeKeeper({
    ...parts,
    signer,
    checkpoints,
    report: (error) => report(`the tree of the log is held up, trying again: ${String(error)}`),
  });
}
