import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import { text } from '../../../platform/http/openapi/schema.js';

const tag = 'server_and_organizations';
const FILE = 'The picture, GIF, JPEG, PNG or WebP, up to 5 MiB; it is made smaller';
const NIGHT = 'Whether it is the logo of dark themes';
const ICON_URL = { icon_url: { ...text, description: 'Where the icon is from now on' } };
const ADMINISTRATORS = 'For administrators.';

export const descriptions: Descriptions = {
  'GET /realm/icon': {
    id: 'get-realm-icon',
    tag,
    summary: 'Get the icon of the organization.',
    redirects: 'To the picture: an uploaded one, or a Gravatar',
  },
  'POST /realm/icon': {
    id: 'upload-realm-icon',
    tag,
    summary: 'Replace the icon of the organization.',
    text: ADMINISTRATORS,
    file: FILE,
    answer: ICON_URL,
  },
  'DELETE /realm/icon': {
    id: 'remove-realm-icon',
    tag,
    summary: 'Give the organization its default icon again.',
    text: ADMINISTRATORS,
    answer: ICON_URL,
  },
  'GET /realm/logo': {
    id: 'get-realm-logo',
    tag,
    summary: 'Get a logo of the organization.',
    parameters: { night: NIGHT },
    redirects: 'To the picture: an uploaded one, or the default',
  },
  'POST /realm/logo': {
    id: 'upload-realm-logo',
    tag,
    summary: 'Replace a logo of the organization.',
    text: ADMINISTRATORS,
    parameters: { night: `${NIGHT}; the query may have it instead, and one of them must` },
    file: FILE,
    answer: {},
  },
  'DELETE /realm/logo': {
    id: 'remove-realm-logo',
    tag,
    summary: 'Give the organization a default logo again.',
    text: ADMINISTRATORS,
    parameters: { night: NIGHT },
    answer: {},
  },
};
