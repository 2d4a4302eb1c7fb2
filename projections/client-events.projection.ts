import { directoryEventTypes } from '../src/directory/directory.changes.js';
import { channelTelling } from './client-events/channels.js';
import { directoryHandlers } from './client-events/directory-rules.js';
import { draftRules } from './client-events/drafts.js';
import { messageLifeLookUps, messageLifeRules } from './client-events/message-life.js';
import { messageLookUps, messageRules } from './client-events/messages.js';
import { moveRules } from './client-events/moves.js';
import { organizationTelling } from './client-events/organization.js';
import { PERSONAL_LISTS, personalLookUps, personalRules } from './client-events/personal.js';
import { FEED_MOVES, ORIGINS } from './client-events/places.js';
import { readStateRules } from './client-events/read-state.js';
import { recordsLookedUp } from './client-events/records.js';
import { subscriptionTelling } from './client-events/subscriptions.js';
import { both, FILE_LINKS, FILE_SPACE, FILES, fileLinkRules, uploadRules } from './client-events/uploads.js';
import { userGroupTelling } from './client-events/user-groups.js';
import { userSettingTelling } from './client-events/user-settings.js';
import { userTelling } from './client-events/users.js';
import type { Projection } from './projection.js';

/**
 * The client-event feed (D10): what each domain event is to clients, in log order, for 30 days. Holds no words of
 * messages. Keeps its own copies of the organisation's records, so that an event tells what was so when it happened,
 * whenever it is read. One file of rules for each feature, in `client-events/`.
 */
export const clientEvents: Projection = {
  name: 'client-events',
  version: 7,
  collections: {
    events: { indexes: [{ keys: { position: 1, _id: 1 } }] },
    organization: {},
    users: { indexes: [{ keys: { 'bot.type': 1 }, sparse: true }] },
    channels: {},
    userGroups: {},
    memberships: { indexes: [{ keys: { userId: 1 } }] },
    [PERSONAL_LISTS]: {},
    [FEED_MOVES]: {},
    [ORIGINS]: {},
    [FILES]: {},
    [FILE_SPACE]: {},
    [FILE_LINKS]: {},
    hours: {},
    retention: {},
  },
  on: {
    ...messageRules,
    ...readStateRules,
    ...messageLifeRules,
    MessageSent: both(messageRules.MessageSent, fileLinkRules.MessageSent),
    MessageEdited: both(messageLifeRules.MessageEdited, fileLinkRules.MessageEdited),
    MessageDeleted: both(messageLifeRules.MessageDeleted, fileLinkRules.MessageDeleted),
    ...uploadRules,
    ...moveRules,
    ...personalRules,
    ...draftRules,
    ...directoryHandlers(organizationTelling),
    ...directoryHandlers(userTelling),
    ...directoryHandlers(userSettingTelling),
    ...directoryHandlers(channelTelling),
    ...directoryHandlers(subscriptionTelling),
    ...directoryHandlers(userGroupTelling),
  } as Projection['on'],
  looksUp: {
    ...Object.fromEntries(directoryEventTypes.map((type) => [type, recordsLookedUp])),
    ...messageLookUps,
    ...messageLifeLookUps,
    ...personalLookUps,
  } as Projection['looksUp'],
};
