import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import { text, textOrNull } from '../../../platform/http/openapi/schema.js';

export const descriptions: Descriptions = {
  'POST /projections/{projection}/rebuild': {
    id: 'rebuild-projection',
    tag: 'server_and_organizations',
    summary: 'Begin to build the documents of a projection anew from the log, for owners.',
    text: 'The answer does not wait for the end. Clients are served the documents of before until the new ones have all of the log. `GET /health` tells how far the build is. It goes on at the next start if the server ends meanwhile. A projection that is being built already is refused.',
    parameters: { projection: 'Its name, as `GET /health` has it. Another one is refused with the list of all' },
    answer: {
      projection: { ...text, description: 'The projection whose build has begun' },
      database: {
        ...textOrNull,
        description:
          'The documents that are read meanwhile; null: there are none. When `GET /health` has another `database`, the build is done',
      },
    },
  },
};
