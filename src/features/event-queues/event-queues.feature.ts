import type { Feature } from '../feature.js';
import { eventQueueRefusals } from './event-queues.refusals.js';
import { eventQueueSettings } from './event-queues.settings.js';

export const eventQueuesFeature = {
  name: 'event-queues',
  refusals: eventQueueRefusals,
  settings: eventQueueSettings,
  describes: () => import('./http/event-queues.descriptions.js'),
  api: [
    () => import('./commands/event-queues.handlers.js'),
    () => import('./commands/ephemeral-bus.js'),
    () => import('./commands/queue-sweeper.js'),
    () => import('./http/register.controller.js'),
    () => import('./http/events.controller.js'),
    () => import('./queries/client-event-feed.js'),
    () => import('./queries/client-event-texts.js'),
    () => import('./queries/ephemeral-tail.js'),
    () => import('./queries/get-events.handler.js'),
    () => import('./queries/initial-state.handler.js'),
    () => import('./queries/live-queues.js'),
    () => import('./queries/queue-activity.js'),
    () => import('./queries/waiting-polls.js'),
    () => import('./event-queues.register.js'),
  ],
} as const satisfies Feature;
