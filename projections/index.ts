import { attachments } from './attachments.projection.js';
import { clientEvents } from './client-events.projection.js';
import { directoryProjection } from './directory.projection.js';
import { drafts } from './drafts.projection.js';
import { eventQueues } from './event-queues.projection.js';
import { messages } from './messages.projection.js';
import { personal } from './personal.projection.js';
import type { Projection } from './projection.js';
import { readState } from './read-state.projection.js';
import { sends } from './sends.projection.js';

/** Every read model there is. */
export const projections: readonly Projection[] = [
  directoryProjection,
  messages,
  attachments,
  sends,
  clientEvents,
  eventQueues,
  readState,
  personal,
  drafts,
];
