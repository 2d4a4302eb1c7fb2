import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

const ID = 'The id of the snippet, among those of the caller';
const TITLE = 'The name by which people find it, up to 60 characters';
const CONTENT = 'The Markdown to be put into messages, up to `max_message_length` of `POST /register`';

export const descriptions: Descriptions = {
  'GET /saved_snippets': { summary: 'List the own saved snippets: pieces of text to be used again in messages.' },
  'POST /saved_snippets': {
    summary: 'Save a piece of text to be used again in messages.',
    text: 'An account has up to 1,000 snippets, of 4 MiB together. A repeat saves it again.',
    parameters: { title: TITLE, content: CONTENT },
  },
  'PATCH /saved_snippets/{saved_snippet_id}': {
    summary: 'Change title or content of an own saved snippet.',
    parameters: { saved_snippet_id: ID, title: TITLE, content: CONTENT },
  },
  'DELETE /saved_snippets/{saved_snippet_id}': {
    summary: 'Delete an own saved snippet.',
    text: 'The key of its words is destroyed.',
    parameters: { saved_snippet_id: ID },
  },
};
