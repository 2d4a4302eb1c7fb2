import {
  linkifiersForClients,
  playgroundsForClients,
  profileFieldsForClients,
} from '../../src/directory/organization-for-clients.js';
import type { OrganizationEvent } from '../../src/organization/domain/organization.events.js';
import type { TellingRule } from './directory-rules.js';
import { EVERYONE, told } from './entries.js';

/** Whatever happened to one of them: clients get all, as of the event. */
export const profileFields: TellingRule<OrganizationEvent> = (event, after) => {
  const fields = profileFieldsForClients(after('organization', 'organization'));
  return [told(event, 'custom_profile_fields', EVERYONE, { fields })];
};

/** Clients that expect what linkifiers were before they had templates are told of none. */
export const linkifiers: TellingRule<OrganizationEvent> = (event, after) => {
  const realm_linkifiers = linkifiersForClients(after('organization', 'organization'));
  const without = { capability: 'linkifier_url_template', instead: null };
  return [told(event, 'realm_linkifiers', EVERYONE, { realm_linkifiers }, { without })];
};

export const playgrounds: TellingRule<OrganizationEvent> = (event, after) => {
  const realm_playgrounds = playgroundsForClients(after('organization', 'organization'));
  return [told(event, 'realm_playgrounds', EVERYONE, { realm_playgrounds })];
};
