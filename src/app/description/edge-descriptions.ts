import type { Descriptions } from '../../platform/http/openapi/described-api.js';

/** Operations of the edge itself, which belong to no feature. */
export const edgeDescriptions: Descriptions = {
  'GET /openapi.json': {
    summary: 'This description of the API.',
    otherForms: { 'application/json': 'An OpenAPI 3.1 document' },
  },
};
