import { channelEvents } from '../channels/domain/channels.events.js';
import { draftEvents } from '../drafts/domain/drafts.events.js';
import { eventQueueEvents } from '../event-queues/domain/event-queues.events.js';
import type { EventDefinition } from '../kernel/event-definition.js';
import { messageLifeEvents } from '../messages/domain/message.events.js';
import { messageEvents } from '../messages/domain/messages.events.js';
import { organizationEvents } from '../organization/domain/organization.events.js';
import { personalEvents } from '../personal/domain/personal.events.js';
import { readStateEvents } from '../read-state/domain/read-state.events.js';
import { subscriptionEvents } from '../subscriptions/domain/subscriptions.events.js';
import { topicsEvents } from '../topics/domain/topics.events.js';
import { uploadEvents } from '../uploads/domain/uploads.events.js';
import { userGroupEvents } from '../user-groups/domain/user-groups.events.js';
import { userEvents } from '../users/domain/users.events.js';

/** Every event that a log may hold, by its stored name. */
export const eventRegistry: ReadonlyMap<string, EventDefinition> = registryOf([
  ...organizationEvents,
  ...userEvents,
  ...userGroupEvents,
  ...channelEvents,
  ...subscriptionEvents,
  ...messageEvents,
  ...readStateEvents,
  ...messageLifeEvents,
  ...topicsEvents,
  ...personalEvents,
  ...draftEvents,
  ...uploadEvents,
  ...eventQueueEvents,
]);

export function registryOf(definitions: readonly object[]): ReadonlyMap<string, EventDefinition> {
  const registry = new Map<string, EventDefinition>();
  for (const definition of definitions as readonly EventDefinition[]) {
    if (registry.has(definition.type)) throw new Error(`event type ${definition.type} is defined twice`);
    for (let version = 1; version < definition.version; version++) {
      if (!definition.upcasters?.[version])
        throw new Error(`${definition.type} has no upcaster from version ${version}`);
    }
    registry.set(definition.type, definition);
  }
  return registry;
}
