import { actsOfBotsAndGroups } from './acts-of-bots-and-groups.js';
import { actsOfChannels } from './acts-of-channels.js';
import { actsOfDevices } from './acts-of-devices.js';
import { actsOfMessages } from './acts-of-messages.js';
import { actsOfOrganization } from './acts-of-organization.js';
import { actsOfOwnThings } from './acts-of-own-things.js';
import { actsOfUsers } from './acts-of-users.js';
import type { AuditedActs } from './audited-act.js';

/** Every operation of the server that changes something in the log. */
export const ACTS: AuditedActs = {
  ...actsOfBotsAndGroups,
  ...actsOfChannels,
  ...actsOfDevices,
  ...actsOfMessages,
  ...actsOfOrganization,
  ...actsOfOwnThings,
  ...actsOfUsers,
};

/** Operations that are no GET and change nothing in the log, with the reason. */
export const CHANGE_NOTHING: Readonly<Record<string, string>> = {
  'POST /messages/render': 'answers a text as HTML',
  'POST /users/me/presence': 'says that a user is there now: presence is in memory alone',
  'POST /typing': 'tells readers that a user is typing',
  'POST /messages/{message_id}/typing': 'tells readers that a user is typing',
  'POST /mobile_push/test_notification': 'sends a notification without content to devices of its caller',
  'POST /mobile_push/e2ee/test_notification': 'sends a notification without content to devices of its caller',
};
