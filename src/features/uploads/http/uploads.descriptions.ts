import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { text } from '../../../platform/http/openapi/schema.js';

const PART = 'A part of the path of the file, as in the URL of the upload';
const OF_PATH = { realm_id_str: 'The id of the organization, as in the URL of the upload', filename: PART };

const TEMPORARY_URL: Description = {
  tag: 'messages',
  summary: 'Get a temporary URL of a file, which needs no key.',
  text: `For those who may read the file: its owner, and the readers of a message that links to it. The URL serves the file for 60
seconds. The same path outside of the API serves the file itself, to a request with a key.`,
  parameters: OF_PATH,
  answer: { url: { ...text, description: 'The path of the temporary URL, below the address of the server' } },
};

export const descriptions: Descriptions = {
  'POST /user_uploads': {
    summary: 'Upload a file, to be linked to from messages.',
    text: `\`[name](url)\` with the \`url\` of the answer is the Markdown that links to it. A file that no message links to is readable by its
owner alone. A repeat uploads it again.`,
    file: 'The file, up to `max_file_upload_size_mib` of `POST /register`',
  },
  'GET /user_uploads/{realm_id_str}/{filename}': TEMPORARY_URL,
  'GET /user_uploads/{realm_id_str}/{file_id}/{filename}': {
    ...TEMPORARY_URL,
    id: 'get-file-temporary-url-in-folder',
    parameters: { ...OF_PATH, file_id: PART },
  },
  'GET /user_uploads/{realm_id_str}/{folder}/{file_id}/{filename}': {
    ...TEMPORARY_URL,
    id: 'get-file-temporary-url-in-folders',
    parameters: { ...OF_PATH, folder: PART, file_id: PART },
  },
  'GET /attachments': {
    summary: 'List the own uploaded files, with the messages that link to them.',
    text: '`upload_space_used` is what the files of all accounts take together, in bytes.',
  },
  'DELETE /attachments/{attachment_id}': {
    summary: 'Delete an own uploaded file for ever.',
    text: 'Messages keep their links to it, which lead nowhere then.',
    parameters: { attachment_id: 'The id of the file, as in `GET /attachments`' },
  },
};
