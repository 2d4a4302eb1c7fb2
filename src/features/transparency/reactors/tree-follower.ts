import { Logger } from '@nestjs/common';
import type { Follower } from '../../../platform/consumers/follower.js';
import { TREE_DATABASE } from '../../../platform/transparency/tree.documents.js';

/** Keeps the Merkle tree of the log. It has effects outside of the server: checkpoints that others keep. */
export const treeFollower: Follower = {
  database: TREE_DATABASE,
  reads: [],
  open: async ({ openSigner, ...parts }) => {
    const { TreeKeeper } = await import('../../../platform/transparency/tree-keeper.js');
    const log = new Logger('Transparency');
    return new TreeKeeper({
      ...parts,
      signer: await openSigner(),
      report: (error) => log.error(`the tree of the log is held up, trying again: ${String(error)}`),
    });
  },
};
