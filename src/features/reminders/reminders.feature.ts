import type { Feature } from '../feature.js';
import { reminderRefusals } from './reminders.refusals.js';

export const remindersFeature = {
  name: 'reminders',
  refusals: reminderRefusals,
  describes: () => import('./http/reminders.descriptions.js'),
  api: [
    () => import('./services/reminder-sender.js'),
    () => import('./commands/reminders.handlers.js'),
    () => import('./http/reminders.controller.js'),
    () => import('./services/reminder-texts.js'),
    () => import('./queries/reminders.queries.js'),
  ],
} as const satisfies Feature;
