import type { AvatarEvent } from '../events/avatars/avatars.events.js';
import type { ChannelFolderEvent } from '../events/channels/channel-folders.events.js';
import type { ChannelEvent } from '../events/channels/channels.events.js';
import type { SubscriptionEvent } from '../events/channels/subscriptions.events.js';
import type { CustomEmojiEvent } from '../events/custom-emoji/custom-emoji.events.js';
import type { OrganizationEvent } from '../events/organization/organization.events.js';
import type { OrganizationPictureEvent } from '../events/organization-pictures/organization-pictures.events.js';
import type { UserSettingChanged } from '../events/personal/user-settings.events.js';
import type { UserGroupEvent } from '../events/user-groups/user-groups.events.js';
import type { UserEvent } from '../events/users/users.events.js';
import type { DocumentId } from '../platform/documents/document-store.js';
import type { DomainEvent, Recorded } from '../platform/kernel/event.js';
import { channelFolderRules } from './changes/channel-folders.js';
import { channelRules } from './changes/channels.js';
import { customEmojiRules } from './changes/custom-emoji.js';
import { organizationRules } from './changes/organization.js';
import { avatarRules, organizationPictureRules } from './changes/pictures.js';
import type { Rule, Rules } from './changes/rule.js';
import { subscriptionRules } from './changes/subscriptions.js';
import { userGroupRules } from './changes/user-groups.js';
import { userRules, userSettingRules } from './changes/users.js';
import type { DirectoryKind, RecordChange, RecordLookup } from './directory.records.js';

/** Every event that changes the organization's records. */
export type DirectoryEvent =
  | OrganizationEvent
  | OrganizationPictureEvent
  | CustomEmojiEvent
  | UserEvent
  | AvatarEvent
  | UserSettingChanged
  | ChannelEvent
  | ChannelFolderEvent
  | SubscriptionEvent
  | UserGroupEvent;

/** The rules by which documents and every process's memory change (D8). Applying an event again changes nothing. */
const rules: Rules<DirectoryEvent> = {
  ...organizationRules,
  ...organizationPictureRules,
  ...customEmojiRules,
  ...userRules,
  ...avatarRules,
  ...userSettingRules,
  ...channelRules,
  ...channelFolderRules,
  ...subscriptionRules,
  ...userGroupRules,
};

export const directoryEventTypes = Object.keys(rules) as readonly DirectoryEvent['type'][];

export const isDirectoryEvent = (event: DomainEvent): event is DirectoryEvent => event.type in rules;

/** Of the records that an event touches, one's key in a map. */
export const recordKey = (kind: DirectoryKind, id: DocumentId): string => `${kind}/${id}`;

export const recordsTouched = (event: Recorded<DirectoryEvent>): readonly (readonly [DirectoryKind, DocumentId])[] =>
  ruleFor(event).touches(event);

export const directoryChanges = (event: Recorded<DirectoryEvent>, get: RecordLookup): readonly RecordChange[] =>
  ruleFor(event).changes(event, get);

function ruleFor(event: Recorded<DirectoryEvent>): Rule<DirectoryEvent> {
  return rules[event.type] as unknown as Rule<DirectoryEvent>;
}
