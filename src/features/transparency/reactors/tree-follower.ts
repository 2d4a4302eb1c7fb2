import { Logger } from '@nestjs/common';
import type { Follower } from '../../../platform/consumers/follower.js';
import { TREE_DATABASE } from '../../../platform/transparency/tree.documents.js';
import { openLogSigner } from './log-signer.js';
import { openTreeKeeper } from './open-tree-keeper.js';

/** Keeps the Merkle tree of the log. It has effects outside of the server: checkpoints that others keep. */
export const treeFollower: Follower = {
  database: TREE_DATABASE,
  reads: [],
  open: async (parts) => {
    const log = new Logger('Transparency');
    return openTreeKeeper({ ...parts, report: (problem) => log.error(problem) }, await openLogSigner(parts));
  },
};
