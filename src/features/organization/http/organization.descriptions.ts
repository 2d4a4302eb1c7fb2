import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import { listOf, whole } from '../../../platform/http/openapi/schema.js';
import { organizationLists } from './organization-lists.descriptions.js';
import { realmSettingWords } from './realm-settings.descriptions.js';

const tag = 'server_and_organizations';

export const descriptions: Descriptions = {
  'GET /server_settings': {
    summary:
      'Get what a client must know before its user logs in: version, feature level, name and icon of the organization.',
  },
  'PATCH /realm': {
    id: 'update-realm',
    tag,
    summary: 'Change settings of the organization.',
    text: `All are changed, or none; what is not given stays. For administrators; owners alone set who joins, how long messages are kept,
who audits, and who may create and manage groups. A setting whose feature the server lacks is refused if its value is not the default.

The value of a permission is a group: \`{"new": GROUP, "old": GROUP}\`, where \`old\` may be left out. A group is the id of a user group, or
\`{"direct_members": [USERS], "direct_subgroups": [GROUPS]}\`. If the value is no longer \`old\`, the change is refused.`,
    parameters: realmSettingWords,
    answer: {},
  },
  'GET /default_streams': {
    id: 'get-default-streams',
    tag: 'channels',
    summary: 'List the default channels, which new accounts are subscribed to.',
    text: 'Empty for guests.',
    answer: { default_streams: { ...listOf(whole), description: 'The ids of the channels' } },
  },
  'POST /default_streams': {
    summary: 'Make a channel a default channel, which new accounts are subscribed to.',
    text: 'For administrators. A private channel is refused.',
  },
  'DELETE /default_streams': {
    summary: 'Make a channel one that new accounts are not subscribed to.',
    text: 'For administrators.',
  },
  ...organizationLists,
};
