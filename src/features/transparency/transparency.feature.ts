import { Logger } from '@nestjs/common';
import type { DataOf, Refusals } from '../../platform/http/refusal.js';
import type { KnownName } from '../../platform/transparency/open-signer.js';
import type { NoteSigner } from '../../platform/transparency/signed-note.js';
import { TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import type { CheckpointSettings } from '../../platform/transparency/witness.js';
import type { Feature } from '../feature.js';
import { openLogSigner } from './reactors/log-signer.js';
import { openTreeKeeper } from './reactors/open-tree-keeper.js';
import { CHECKPOINT_ROUTE, TILES_OUTSIDE, VERIFIER_ROUTE } from './transparency.routes.js';
import { transparencySettings } from './transparency.settings.js';

const transparencyRefusals = {
  TREE_NOT_PUBLISHED: { status: 404, code: 'NOT_FOUND', message: 'This server does not publish the tree of its log' },
  CHECKPOINT_NOT_THERE: { status: 404, code: 'NOT_FOUND', message: 'There is no checkpoint yet' },
  CHECKPOINT_NOT_SIGNED: { status: 503, code: 'CHECKPOINT_NOT_SIGNED', message: 'No checkpoint is signed: {reason}' },
  TILE_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'There is no such tile' },
} as const satisfies Refusals;

declare module '../feature.js' {
  interface FollowerServices {
    /** Opens the key that signs checkpoints of the log. */
    readonly openSigner: (known: KnownName) => Promise<NoteSigner>;
    readonly checkpoints: CheckpointSettings;
  }
}

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof transparencyRefusals> {}
}

/** The log's Merkle tree, as programs of others read it (D15). */
export const transparencyFeature = {
  name: 'transparency',
  refusals: transparencyRefusals,
  settings: transparencySettings,
  followers: [
    {
      // Checkpoints that others keep are an effect outside the server.
      database: TREE_DATABASE,
      reads: [],
      open: async (parts) => {
        const log = new Logger('Transparency');
        return openTreeKeeper({ ...parts, report: (problem) => log.error(problem) }, await openLogSigner(parts));
      },
    },
  ],
  outside: [CHECKPOINT_ROUTE, VERIFIER_ROUTE, TILES_OUTSIDE],
  api: [() => import('./http/transparency.controller.js'), () => import('./services/published-tree.js')],
} as const satisfies Feature;
