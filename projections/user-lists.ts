import type { UserList } from '../src/platform/read-models/user-list.js';
import { botStorage } from './bot-storage/bot-storage.projection.js';
import { drafts } from './drafts/drafts.projection.js';
import { navigationViews } from './navigation-views/navigation-views.projection.js';
import { pushDevices } from './push-devices/push-devices.projection.js';
import { reminders } from './reminders/reminders.projection.js';
import { savedSnippets } from './saved-snippets/saved-snippets.projection.js';
import { scheduledMessages } from './scheduled-messages/scheduled-messages.projection.js';
import { userStatuses } from './user-statuses/user-statuses.projection.js';

/** The lists that each user has, whose clients the feed tells what `told` says. */
export const userLists: readonly UserList[] = [
  drafts,
  savedSnippets,
  scheduledMessages,
  reminders,
  navigationViews,
  botStorage,
  userStatuses,
  pushDevices,
];
