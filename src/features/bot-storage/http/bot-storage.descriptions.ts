import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import { text } from '../../../platform/http/openapi/schema.js';

const tag = 'bots';

export const descriptions: Descriptions = {
  'GET /bot_storage': {
    id: 'get-bot-storage',
    tag,
    summary: 'Read what the caller has stored, by key.',
    text: 'A bot can keep its state here. Each account has a storage of its own, people too.',
    parameters: { keys: 'The keys to read, up to 1,000; without it, all. A key that is not there is refused' },
    answer: { storage: { type: 'object', additionalProperties: text, description: 'Values by key' } },
  },
  'PUT /bot_storage': {
    id: 'update-bot-storage',
    tag,
    summary: 'Store texts under keys, and replace those that are there.',
    text: `All are stored, or none. A storage has up to 1,000 keys and 10,000,000 characters with them. An account stores up to
64 MiB in an hour. A repeat changes nothing more.`,
    parameters: {
      storage: 'Values by key. Each is a text; keys have up to 1,000 characters, and all of a request 256 KiB',
    },
    answer: {},
  },
  'DELETE /bot_storage': {
    id: 'remove-bot-storage',
    tag,
    summary: 'Remove keys and their values.',
    text: 'The keys of their words are destroyed.',
    parameters: { keys: 'The keys to remove, up to 1,000; without it, all. A key that is not there is refused' },
    answer: {},
  },
};
