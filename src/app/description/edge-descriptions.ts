import type { Descriptions } from '../../platform/http/openapi/described-api.js';

/** Operations of the edge itself, which belong to no feature. */
export const edgeDescriptions: Descriptions = {
  'GET /openapi.json': {
    id: 'get-openapi',
    tag: 'server_and_organizations',
    summary: 'Get this description of the API.',
    otherForms: { 'application/json': 'An OpenAPI 3.1 document' },
  },
  'GET /asyncapi.json': {
    id: 'get-asyncapi',
    tag: 'server_and_organizations',
    summary: 'Get a description of the events of the log, and of those that clients get.',
    otherForms: { 'application/json': 'An AsyncAPI 3.0 document' },
  },
};
