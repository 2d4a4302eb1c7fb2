import type { Feature } from '../feature.js';
import { leftBehind } from './consequences/left-behind.js';
import { mutedSender } from './consequences/muted-sender.js';
import { readStateRefusals } from './read-state.refusals.js';

export const readStateFeature = {
  name: 'read-state',
  refusals: readStateRefusals,
  consequences: [leftBehind, mutedSender],
  describes: () => import('./http/read-state.descriptions.js'),
  api: [
    () => import('./commands/change-flags.handlers.js'),
    () => import('./services/flag-reports.js'),
    () => import('./http/message-flags.controller.js'),
    () => import('./http/mark-read.controller.js'),
    () => import('./queries/get-read-receipts.handler.js'),
    () => import('./read-state.client-events.js'),
    () => import('./read-state.register.js'),
  ],
} as const satisfies Feature;
