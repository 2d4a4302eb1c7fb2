import { directoryEventTypes } from '../../src/directory/directory.changes.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import { userLists } from '../user-lists.js';
import { channelFolderRules } from './channel-folders.js';
import { channelRules } from './channels.js';
import { directoryHandlers } from './directory-rules.js';
import { invitationRules } from './invitations.js';
import { messageLookUps, messageRules, sentLookUps, sentRules } from './messages.js';
import { moveRules } from './moves.js';
import { organizationRules } from './organization.js';
import { PERSONAL_LISTS, personalLookUps, personalRules } from './personal.js';
import { avatarRules, customEmojiRules, organizationPictureRules } from './pictures.js';
import { FEED_MOVES, ORIGINS } from './places.js';
import { readStateRules } from './read-state.js';
import { recordsLookedUp } from './records.js';
import { subscriptionRules } from './subscriptions.js';
import { both, FILE_LINKS, FILE_SPACE, FILES, fileLinkRules, uploadRules } from './uploads.js';
import { userGroupRules } from './user-groups.js';
import { userSettingRules } from './user-settings.js';
import { userRules } from './users.js';

/**
 * The feed of client events (D10): the client events of each domain event, in log order, for 30 days. The feed holds no
 * content. It keeps copies of the organization's records, so that an event has the facts of its own time. Each feature has
 * a file of rules in this folder.
 */
export const clientEvents: Projection = {
  name: 'client-events',
  version: 8,
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
    ...readStateRules,
    ...messageRules,
    MessageSent: both(sentRules.MessageSent, fileLinkRules.MessageSent),
    MessageEdited: both(messageRules.MessageEdited, fileLinkRules.MessageEdited),
    MessageDeleted: both(messageRules.MessageDeleted, fileLinkRules.MessageDeleted),
    ...uploadRules,
    ...moveRules,
    ...personalRules,
    ...Object.fromEntries(userLists.flatMap(({ told }) => Object.entries(told))),
    ...invitationRules,
    ...directoryHandlers(organizationRules),
    ...directoryHandlers(organizationPictureRules),
    ...directoryHandlers(customEmojiRules),
    ...directoryHandlers(userRules),
    ...directoryHandlers(avatarRules),
    ...directoryHandlers(userSettingRules),
    ...directoryHandlers(channelRules),
    ...directoryHandlers(channelFolderRules),
    ...directoryHandlers(subscriptionRules),
    ...directoryHandlers(userGroupRules),
  } as Projection['on'],
  // Clients are not told of a login, which need not wait for the feed's copy of the user.
  awaited: { ApiKeyIssued: () => false },
  prefetch: {
    ...Object.fromEntries(directoryEventTypes.map((type) => [type, recordsLookedUp])),
    ...sentLookUps,
    ...messageLookUps,
    ...personalLookUps,
  } as Projection['prefetch'],
};
