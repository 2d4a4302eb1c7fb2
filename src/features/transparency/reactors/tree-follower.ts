import { Logger } from '@nestjs/common';
import { TRANSPARENCY_STREAM } from '../../../events/transparency/transparency.events.js';
import type { Follower } from '../../../platform/consumers/follower.js';
import { CheckpointFile } from '../../../platform/transparency/checkpoint-file.js';
import { CheckpointWebhook } from '../../../platform/transparency/checkpoint-webhook.js';
import { givenUpCheckpoints } from '../../../platform/transparency/given-up.js';
import { SignedCheckpoints } from '../../../platform/transparency/signed-checkpoints.js';
import { TREE_DATABASE } from '../../../platform/transparency/tree.documents.js';
import { Witnesses } from '../../../platform/transparency/witnesses.js';
import { openLogSigner } from './log-signer.js';

/** Keeps the Merkle tree of the log. It has effects outside of the server: checkpoints that others keep. */
export const treeFollower: Follower = {
  database: TREE_DATABASE,
  reads: [],
  open: async ({ checkpoints: { file, noteEvery, webhookUrl, witnesses }, ...parts }) => {
    const { TreeKeeper } = await import('../../../platform/transparency/tree-keeper.js');
    const log = new Logger('Transparency');
    const signer = await openLogSigner(parts);
    const report = (problem: string): void => log.error(problem);
    const checkpoints = new SignedCheckpoints({
      documentStore: parts.documentStore,
      signer,
      file: new CheckpointFile(file),
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
  },
};
