import type { Projection } from '../src/platform/read-models/projection.js';
import { accountLinks } from './account-links/account-links.projection.js';
import { attachments } from './attachments/attachments.projection.js';
import { audit } from './audit/audit.projection.js';
import { clientEvents } from './client-events/client-events.projection.js';
import { directoryProjection } from './directory/directory.projection.js';
import { eventQueues } from './event-queues/event-queues.projection.js';
import { invitations } from './invitations/invitations.projection.js';
import { keyAddresses } from './key-addresses/key-addresses.projection.js';
import { messages } from './messages/messages.projection.js';
import { personal } from './personal/personal.projection.js';
import { readState } from './read-state/read-state.projection.js';
import { sends } from './sends/sends.projection.js';
import { userLists } from './user-lists.js';

/** A rebuild's thread imports this file alone for the projections and their events. */
export { eventRegistry } from '../src/events/event-registry.js';

/** All read models. */
export const projections: readonly Projection[] = [
  directoryProjection,
  messages,
  attachments,
  sends,
  clientEvents,
  eventQueues,
  readState,
  personal,
  ...userLists,
  invitations,
  accountLinks,
  audit,
  keyAddresses,
];
