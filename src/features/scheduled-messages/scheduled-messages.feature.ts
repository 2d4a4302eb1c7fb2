import type { Feature } from '../feature.js';
import { scheduledMessageRefusals } from './scheduled-messages.refusals.js';

export const scheduledMessagesFeature = {
  name: 'scheduled-messages',
  refusals: scheduledMessageRefusals,
  describes: () => import('./http/scheduled-messages.descriptions.js'),
  api: [
    () => import('./services/scheduled-message-sender.js'),
    () => import('./commands/scheduled-messages.handlers.js'),
    () => import('./http/scheduled-messages.controller.js'),
    () => import('./queries/scheduled-messages.queries.js'),
  ],
} as const satisfies Feature;
