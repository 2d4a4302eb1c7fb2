import type { Directory } from '../../../directory/directory.js';
import {
  linkifiersForClients,
  playgroundsForClients,
  profileFieldsForClients,
} from '../../../directory/organization-for-clients.js';
import { PROFILE_FIELD_TYPES } from '../../../events/organization/organization.settings.js';
import { stopWords } from '../../../platform/documents/tokenize.js';

/** Lists of the organization's record and of its language, by the names under which clients fetch them. */
export function organizationLists(
  directory: Directory,
  clientCapabilities: Readonly<Record<string, boolean>>,
): Readonly<Record<string, () => object>> {
  const { organization } = directory;
  const knowsTemplates = clientCapabilities.linkifier_url_template ?? false;
  return {
    custom_profile_fields: () => ({
      custom_profile_fields: organization ? profileFieldsForClients(organization) : [],
      custom_profile_field_types: PROFILE_FIELD_TYPES,
    }),
    realm_linkifiers: () => ({
      realm_linkifiers: organization && knowsTemplates ? linkifiersForClients(organization) : [],
    }),
    stop_words: () => ({ stop_words: [...stopWords(directory.setting('default_language'))] }),
    realm_playgrounds: () => ({ realm_playgrounds: organization ? playgroundsForClients(organization) : [] }),
  };
}
