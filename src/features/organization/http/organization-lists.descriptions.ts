import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

const tag = 'server_and_organizations';
const ADMINISTRATORS = 'For administrators.';

const LINKIFIER = {
  pattern:
    'A regular expression of RE2 whose named groups are the variables: `#(?P<id>[0-9]+)`. Up to 1,000 characters',
  url_template: 'The URL as a template of RFC 6570 with all groups of the pattern: `https://example.com/issues/{id}`',
  example_input: 'A text that the pattern matches, up to 500 characters, which clients show',
  reverse_template:
    'The text that makes up `example_input` again from the groups: `#{id}`, with `{{` and `}}` for braces. With it, clients turn a pasted URL into this text. Needs `example_input`',
  alternative_url_templates: 'Up to 20 other templates of URLs, which clients recognize, too',
};

const LINKIFIER_ID = { filter_id: 'The id of the linkifier' };

const linkifiers: Descriptions = {
  'GET /realm/linkifiers': {
    summary:
      'List the linkifiers, which make links of texts such as issue numbers, in the order in which they are tried.',
  },
  'PATCH /realm/linkifiers': {
    summary: 'Put the linkifiers into another order.',
    text: ADMINISTRATORS,
    parameters: { ordered_linkifier_ids: 'The ids of all linkifiers, each once' },
  },
  'POST /realm/filters': {
    summary: 'Add a linkifier, which makes a link of each text that matches a pattern.',
    text: `${ADMINISTRATORS} Two linkifiers cannot have the same pattern.`,
    parameters: LINKIFIER,
  },
  'PATCH /realm/filters/{filter_id}': {
    summary: 'Replace a linkifier.',
    text: `${ADMINISTRATORS} What is not given becomes empty. Messages that were sent before keep their links.`,
    parameters: { ...LINKIFIER_ID, ...LINKIFIER },
  },
  'DELETE /realm/filters/{filter_id}': {
    summary: 'Remove a linkifier.',
    text: `${ADMINISTRATORS} Messages that were sent before keep their links.`,
    parameters: LINKIFIER_ID,
  },
};

const playgrounds: Descriptions = {
  'POST /realm/playgrounds': {
    summary: 'Add a playground: a site where people can run the code blocks of a language.',
    text: ADMINISTRATORS,
    parameters: {
      name: 'The name of the site, up to 100 characters; a language can have several sites',
      pygments_language: 'The language of the code blocks, as Pygments names it, up to 40 characters',
      url_template: 'The URL as a template of RFC 6570 with the variable `code` alone',
    },
  },
  'DELETE /realm/playgrounds/{playground_id}': {
    summary: 'Remove a playground.',
    text: ADMINISTRATORS,
    parameters: { playground_id: 'The id of the playground' },
  },
};

const FIELD = {
  name: 'The name, up to 40 characters, which no other field has. A known external account has a name of its own',
  hint: 'Help for who fills it in, up to 80 characters',
  field_data:
    'For a list of options: `{"VALUE": {"text", "order"}}`. For an external account: `{"subtype": "github"}`, or `{"subtype": "custom", "url_pattern"}` with `%(username)s` in the URL',
  display_in_profile_summary: 'Whether short profiles show it; at most two fields, and neither long texts nor people',
  required: 'Whether clients ask people to fill it in',
  editable_by_user: 'Whether people fill it in for themselves; false: administrators alone',
  use_for_user_matching: 'Whether clients find people by it',
};

const FIELD_ID = { field_id: 'The id of the profile field' };

const profileFields: Descriptions = {
  'GET /realm/profile_fields': {
    summary: 'List the fields that the organization has added to profiles, in the order of profiles.',
  },
  'POST /realm/profile_fields': {
    summary: 'Add a field to all profiles.',
    text: `${ADMINISTRATORS} It is the last one.`,
    parameters: {
      ...FIELD,
      field_type:
        '1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns',
    },
  },
  'PATCH /realm/profile_fields': {
    summary: 'Put the fields of profiles into another order.',
    text: ADMINISTRATORS,
    parameters: { order: 'The ids of all fields, each once' },
  },
  'PATCH /realm/profile_fields/{field_id}': {
    id: 'update-custom-profile-field',
    tag,
    summary: 'Change a field of profiles.',
    text: `${ADMINISTRATORS} What is not given stays; a field cannot change its type.`,
    parameters: { ...FIELD_ID, ...FIELD },
    answer: {},
  },
  'DELETE /realm/profile_fields/{field_id}': {
    id: 'remove-custom-profile-field',
    tag,
    summary: 'Remove a field from all profiles, with what people have filled in.',
    text: ADMINISTRATORS,
    parameters: FIELD_ID,
    answer: {},
  },
};

/** Operations on the lists that an organization keeps. */
export const organizationLists: Descriptions = { ...linkifiers, ...playgrounds, ...profileFields };
