import type { Feature } from '../feature.js';
import { eventQueueRefusals } from './event-queues.refusals.js';

export const eventQueuesFeature = {
  name: 'event-queues',
  refusals: eventQueueRefusals,
  api: () => import('./event-queues.api.js'),
} as const satisfies Feature;
