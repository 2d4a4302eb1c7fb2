import type { EventDefinition } from '../platform/kernel/event-definition.js';
import { accessEvents } from './accesses/accesses.events.js';
import { avatarEvents } from './avatars/avatars.events.js';
import { botStorageEvents } from './bot-storage/bot-storage.events.js';
import { channelFolderEvents } from './channels/channel-folders.events.js';
import { channelEvents } from './channels/channels.events.js';
import { subscriptionEvents } from './channels/subscriptions.events.js';
import { customEmojiEvents } from './custom-emoji/custom-emoji.events.js';
import { draftEvents } from './drafts/drafts.events.js';
import { eventQueueEvents } from './event-queues/event-queues.events.js';
import { invitationEvents } from './invitations/invitations.events.js';
import { messageEvents } from './messages/message.events.js';
import { messagesEvents } from './messages/messages.events.js';
import { topicsEvents } from './messages/topics.events.js';
import { navigationViewEvents } from './navigation-views/navigation-views.events.js';
import { organizationEvents } from './organization/organization.events.js';
import { organizationPictureEvents } from './organization-pictures/organization-pictures.events.js';
import { personalEvents } from './personal/personal.events.js';
import { pushEvents } from './push/push.events.js';
import { readStateEvents } from './read-state/read-state.events.js';
import { reminderEvents } from './reminders/reminders.events.js';
import { savedSnippetEvents } from './saved-snippets/saved-snippets.events.js';
import { scheduledMessageEvents } from './scheduled-messages/scheduled-messages.events.js';
import { transparencyEvents } from './transparency/transparency.events.js';
import { uploadEvents } from './uploads/uploads.events.js';
import { userGroupEvents } from './user-groups/user-groups.events.js';
import { userStatusEvents } from './user-status/user-status.events.js';
import { accountLinkEvents } from './users/account-links.events.js';
import { userEvents } from './users/users.events.js';

/** Every type of event that a log may hold, by its stored name. */
export const eventRegistry: ReadonlyMap<string, EventDefinition> = registryOf([
  ...organizationEvents,
  ...organizationPictureEvents,
  ...customEmojiEvents,
  ...userEvents,
  ...avatarEvents,
  ...accountLinkEvents,
  ...userGroupEvents,
  ...channelEvents,
  ...channelFolderEvents,
  ...subscriptionEvents,
  ...messagesEvents,
  ...readStateEvents,
  ...messageEvents,
  ...topicsEvents,
  ...personalEvents,
  ...draftEvents,
  ...savedSnippetEvents,
  ...scheduledMessageEvents,
  ...reminderEvents,
  ...navigationViewEvents,
  ...botStorageEvents,
  ...userStatusEvents,
  ...pushEvents,
  ...invitationEvents,
  ...uploadEvents,
  ...eventQueueEvents,
  ...accessEvents,
  ...transparencyEvents,
]);

export function registryOf(definitions: readonly EventDefinition[]): ReadonlyMap<string, EventDefinition> {
  const registry = new Map<string, EventDefinition>();
  for (const definition of definitions) {
    if (registry.has(definition.type)) throw new Error(`event type ${definition.type} is defined twice`);
    for (let version = 1; version < definition.version; version++) {
      if (!definition.upcasters?.[version])
        throw new Error(`${definition.type} has no upcaster from version ${version}`);
    }
    registry.set(definition.type, definition);
  }
  return registry;
}
