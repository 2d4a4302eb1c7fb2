import type { OrganizationEvent } from '../../src/organization/domain/organization.events.js';
import { defaultChannels } from './default-channels.js';
import { silent, type TellingRules } from './directory-rules.js';
import { linkifiers, playgrounds, profileFields } from './organization-lists.js';
import { realmSettingChanged } from './realm-settings.js';

export const organizationTelling: TellingRules<OrganizationEvent> = {
  OrganizationCreated: silent,
  RealmSettingChanged: realmSettingChanged,
  DefaultChannelAdded: defaultChannels,
  DefaultChannelRemoved: defaultChannels,
  ProfileFieldCreated: profileFields,
  ProfileFieldChanged: profileFields,
  ProfileFieldRemoved: profileFields,
  ProfileFieldsReordered: profileFields,
  LinkifierAdded: linkifiers,
  LinkifierChanged: linkifiers,
  LinkifierRemoved: linkifiers,
  LinkifiersReordered: linkifiers,
  PlaygroundAdded: playgrounds,
  PlaygroundRemoved: playgrounds,
};
