import type { EventDefinition } from '../platform/kernel/event-definition.js';
import { ACCESSES_STREAM, accessEvents } from './accesses/accesses.events.js';
import { avatarEvents } from './avatars/avatars.events.js';
import { botStorageEvents } from './bot-storage/bot-storage.events.js';
import { channelFolderEvents } from './channels/channel-folders.events.js';
import { CHANNELS_STREAM, channelEvents } from './channels/channels.events.js';
import { subscriptionEvents } from './channels/subscriptions.events.js';
import { CUSTOM_EMOJI_STREAM, customEmojiEvents } from './custom-emoji/custom-emoji.events.js';
import { draftEvents } from './drafts/drafts.events.js';
import { EVENT_QUEUES_STREAM, eventQueueEvents } from './event-queues/event-queues.events.js';
import { INVITATIONS_STREAM, invitationEvents } from './invitations/invitations.events.js';
import { messageEvents } from './messages/message.events.js';
import { MESSAGES_STREAM, messagesEvents } from './messages/messages.events.js';
import { topicsEvents } from './messages/topics.events.js';
import { navigationViewEvents } from './navigation-views/navigation-views.events.js';
import { ORGANIZATION_STREAM, organizationEvents } from './organization/organization.events.js';
import {
  ORGANIZATION_PICTURES_STREAM,
  organizationPictureEvents,
} from './organization-pictures/organization-pictures.events.js';
import { PERSONAL_STREAMS, personalEvents } from './personal/personal.events.js';
import { pushEvents } from './push/push.events.js';
import { READ_STATE_STREAMS, readStateEvents } from './read-state/read-state.events.js';
import { reminderEvents } from './reminders/reminders.events.js';
import { savedSnippetEvents } from './saved-snippets/saved-snippets.events.js';
import { scheduledMessageEvents } from './scheduled-messages/scheduled-messages.events.js';
import { TRANSPARENCY_STREAM, transparencyEvents } from './transparency/transparency.events.js';
import { UPLOADS_STREAM, uploadEvents, uploadsEvents } from './uploads/uploads.events.js';
import { USER_GROUPS_STREAM, userGroupEvents } from './user-groups/user-groups.events.js';
import { userStatusEvents } from './user-status/user-status.events.js';
import { accountLinkEvents } from './users/account-links.events.js';
import { USERS_STREAM, userEvents } from './users/users.events.js';

/** Streams and the events that they hold. */
export interface StreamOfEvents {
  /** The stream's name. Of a stream of many, the part in braces is an id: `message-{messageId}`. */
  readonly name: string;
  readonly about: string;
  readonly events: readonly EventDefinition[];
}

/** Every stream that a log may have, and with it every type of event. */
export const eventStreams: readonly StreamOfEvents[] = [
  { name: ORGANIZATION_STREAM, about: 'The organization and its settings', events: organizationEvents },
  { name: ORGANIZATION_PICTURES_STREAM, about: 'Its icon and logos', events: organizationPictureEvents },
  { name: CUSTOM_EMOJI_STREAM, about: 'Its own emoji', events: customEmojiEvents },
  { name: USERS_STREAM, about: 'Accounts of people and bots', events: [...userEvents, ...accountLinkEvents] },
  { name: 'avatar-{userId}', about: 'The avatar of an account', events: avatarEvents },
  { name: USER_GROUPS_STREAM, about: 'User groups', events: userGroupEvents },
  { name: CHANNELS_STREAM, about: 'Channels and their folders', events: [...channelEvents, ...channelFolderEvents] },
  { name: 'subscriptions-{channelId}', about: 'The subscribers of a channel', events: subscriptionEvents },
  { name: MESSAGES_STREAM, about: 'Sent messages', events: messagesEvents },
  { name: 'message-{messageId}', about: 'What became of a message', events: messageEvents },
  { name: 'topics-{channelId}', about: 'Moves out of the topics of a channel', events: topicsEvents },
  { name: `${READ_STATE_STREAMS}{userId}`, about: 'Marks of a user on messages', events: readStateEvents },
  {
    name: `${PERSONAL_STREAMS}{userId}`,
    about: 'What a user keeps and chooses',
    events: [
      ...personalEvents,
      ...draftEvents,
      ...savedSnippetEvents,
      ...scheduledMessageEvents,
      ...reminderEvents,
      ...navigationViewEvents,
      ...userStatusEvents,
      ...pushEvents,
    ],
  },
  { name: 'botStorage-{userId}', about: 'What a bot has stored', events: botStorageEvents },
  { name: INVITATIONS_STREAM, about: 'Invitations', events: invitationEvents },
  { name: UPLOADS_STREAM, about: 'Uploaded files', events: uploadsEvents },
  { name: 'upload-{attachmentId}', about: 'The end of an uploaded file', events: uploadEvents },
  { name: EVENT_QUEUES_STREAM, about: 'Event queues of clients', events: eventQueueEvents },
  { name: ACCESSES_STREAM, about: 'Uses of the server that change nothing', events: accessEvents },
  { name: TRANSPARENCY_STREAM, about: 'What the server says about its own log', events: transparencyEvents },
];

/** Every type of event that a log may hold, by its stored name. */
export const eventRegistry: ReadonlyMap<string, EventDefinition> = registryOf(
  eventStreams.flatMap(({ events }) => events),
);

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
