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
    () => import('./services/ephemeral-bus.js'),
    () => import('./services/queue-sweeper.js'),
    () => import('./http/register.controller.js'),
    () => import('./http/events.controller.js'),
    () => import('./services/client-event-feed.js'),
    () => import('./services/client-event-texts.js'),
    () => import('./services/ephemeral-tail.js'),
    () => import('./queries/get-events.handler.js'),
    () => import('./queries/initial-state.handler.js'),
    () => import('./services/live-queues.js'),
    () => import('./services/queue-activity.js'),
    () => import('./services/waiting-polls.js'),
    () => import('./event-queues.register.js'),
  ],
} as const satisfies Feature;
