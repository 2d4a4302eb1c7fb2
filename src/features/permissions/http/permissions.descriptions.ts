import { FACTS } from '../../../directory/permissions.js';
import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import { listOf, objectOf, text, whole, yesOrNo } from '../../../platform/http/openapi/schema.js';

const check = objectOf(
  {
    asks: { ...text, enum: ['setting', 'fact'] },
    holds: yesOrNo,
    decides: { ...yesOrNo, description: 'Whether the answer rests on it' },
    fact: { ...text, enum: [...FACTS] },
    setting: { ...text, description: 'The name of a setting of the API' },
    of: { ...text, enum: ['organization', 'channel', 'group'], description: 'The owner of the setting' },
    value: { anyOf: [whole, { type: 'object' }], description: 'The id of a user group, or members and subgroups' },
    guests: { ...yesOrNo, description: 'Whether guests may have the permission' },
    groups: {
      ...listOf(objectOf({ group_id: whole, name: text, is_in: yesOrNo })),
      description: 'The groups that the setting names, and whether the account is in them',
    },
    names_account: { ...yesOrNo, description: 'Whether the setting names the account itself' },
  },
  ['fact', 'setting', 'of', 'value', 'guests', 'groups', 'names_account'],
);

export const descriptions: Descriptions = {
  'GET /permissions/why': {
    id: 'get-permission-explanation',
    tag: 'users',
    summary: 'Explain to administrators why an account may do something, or may not.',
    text: 'Names the settings, groups and facts that the server asks for when the account does it, in that order. Unknown parameters are refused.',
    parameters: {
      user_id: 'The account',
      action:
        '`read`, `post`, `subscribe` or `administer` in a channel, or the name of a setting of the API that permits it. Another one is refused with the list of all',
      channel_id: 'The channel; without it, the action is one in the organization',
    },
    answer: { allowed: yesOrNo, checks: listOf(check) },
  },
};
