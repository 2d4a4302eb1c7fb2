import type { ChannelEvent } from '../channels/domain/channels.events.js';
import type { DocumentId } from '../document-store/document-store.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { OrganizationEvent } from '../organization/domain/organization.events.js';
import type { UserSettingChanged } from '../personal/domain/user-settings.events.js';
import type { SubscriptionEvent } from '../subscriptions/domain/subscriptions.events.js';
import type { UserGroupEvent } from '../user-groups/domain/user-groups.events.js';
import type { UserEvent } from '../users/domain/users.events.js';
import { channelRules } from './changes/channels.js';
import { organizationRules } from './changes/organization.js';
import type { Rule, Rules } from './changes/rule.js';
import { subscriptionRules } from './changes/subscriptions.js';
import { userGroupRules } from './changes/user-groups.js';
import { userSettingRules } from './changes/user-settings.js';
import { userRules } from './changes/users.js';
import type { DirectoryKind, RecordChange, RecordLookup } from './directory.records.js';

/** Every event that changes the organisation's records. */
export type DirectoryEvent =
  | OrganizationEvent
  | UserEvent
  | UserSettingChanged
  | ChannelEvent
  | SubscriptionEvent
  | UserGroupEvent;

/** One rule for the documents and for the memory of every process (D8). Applying an event again changes nothing. */
const rules: Rules<DirectoryEvent> = {
  ...organizationRules,
  ...userRules,
  ...userSettingRules,
  ...channelRules,
  ...subscriptionRules,
  ...userGroupRules,
};

export const directoryEventTypes = Object.keys(rules) as readonly DirectoryEvent['type'][];

export const isDirectoryEvent = (event: DomainEvent): event is DirectoryEvent => event.type in rules;

export const recordsTouched = (event: Recorded<DirectoryEvent>): readonly (readonly [DirectoryKind, DocumentId])[] =>
  ruleFor(event).touches(event);

export const directoryChanges = (event: Recorded<DirectoryEvent>, get: RecordLookup): readonly RecordChange[] =>
  ruleFor(event).changes(event, get);

function ruleFor(event: Recorded<DirectoryEvent>): Rule<DirectoryEvent> {
  return rules[event.type] as unknown as Rule<DirectoryEvent>;
}
