import type { DataOf, Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';
import { treeFollower } from './reactors/tree-follower.js';
import { transparencySettings } from './transparency.settings.js';
import { CHECKPOINT_ROUTE, TILES_OUTSIDE, VERIFIER_ROUTE } from './transparency-routes.js';

const transparencyRefusals = {
  TREE_NOT_PUBLISHED: { status: 404, code: 'NOT_FOUND', message: 'This server does not publish the tree of its log' },
  CHECKPOINT_NOT_THERE: { status: 404, code: 'NOT_FOUND', message: 'There is no checkpoint yet' },
  CHECKPOINT_NOT_SIGNED: {
    status: 503,
    code: 'CHECKPOINT_NOT_SIGNED',
    message: 'No checkpoint is signed: {reason}',
  },
  TILE_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'There is no such tile' },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof transparencyRefusals> {}
}

/** The log's Merkle tree, as programs of others read it (D15). */
export const transparencyFeature = {
  name: 'transparency',
  refusals: transparencyRefusals,
  settings: transparencySettings,
  followers: [treeFollower],
  outside: [CHECKPOINT_ROUTE, VERIFIER_ROUTE, TILES_OUTSIDE],
  api: [
    () => import('./http/transparency.controller.js'),
    () => import('./queries/published-tree.js'),
    () => import('./queries/published-checkpoint.js'),
  ],
} as const satisfies Feature;
