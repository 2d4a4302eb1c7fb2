import type { OrganizationEvent } from '../../src/organization/domain/organization.events.js';
import { silent, type TellingRules } from './directory-rules.js';

export const organizationTelling: TellingRules<OrganizationEvent> = {
  OrganizationCreated: silent,
  RealmSettingChanged: silent,
  DefaultChannelAdded: silent,
  DefaultChannelRemoved: silent,
  ProfileFieldCreated: silent,
  ProfileFieldChanged: silent,
  ProfileFieldRemoved: silent,
  ProfileFieldsReordered: silent,
  LinkifierAdded: silent,
  LinkifierChanged: silent,
  LinkifierRemoved: silent,
  LinkifiersReordered: silent,
  PlaygroundAdded: silent,
  PlaygroundRemoved: silent,
};
