import type { Feature } from '../feature.js';
import { draftWithdrawal } from './consequences/draft-withdrawal.js';
import { draftRefusals } from './drafts.refusals.js';

export const draftsFeature = {
  name: 'drafts',
  refusals: draftRefusals,
  consequences: [draftWithdrawal],
  describes: () => import('./http/drafts.descriptions.js'),
  api: [
    () => import('./commands/drafts.handlers.js'),
    () => import('./http/drafts.controller.js'),
    () => import('./queries/drafts.queries.js'),
  ],
} as const satisfies Feature;
