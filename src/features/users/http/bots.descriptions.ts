import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { listOf, objectOf, type Schema, text, whole } from '../../../platform/http/openapi/schema.js';

const nothing = (description: string): Schema => ({ type: 'null', description });

const SETTINGS: Readonly<Record<string, Schema>> = {
  full_name: text,
  avatar_url: text,
  default_sending_stream: nothing('Bots have no default channel'),
  default_events_register_stream: nothing('Bots have no default channel'),
  default_all_public_streams: { type: 'boolean', enum: [false] },
};

const { full_name: _given, ...OTHER_SETTINGS } = SETTINGS;

const BOT_ID: Readonly<Record<string, string>> = { bot_id: 'The id of the account of the bot' };

const KEPT =
  'For the owner of the bot and for administrators; for owners of the organization, if the bot has their rights.';

const LIST: Description = {
  id: 'list-bots',
  tag: 'bots',
  summary: 'List the active bots that you own.',
  text: 'For people who are not guests.',
  answer: {
    bots: listOf(
      objectOf({
        user_id: whole,
        username: { ...text, description: 'The address of the bot' },
        api_key: { ...text, enum: [''], description: 'Empty: the server has no more than the hash of a key' },
        ...SETTINGS,
      }),
    ),
  },
};

const CREATE: Description = {
  id: 'create-bot',
  tag: 'bots',
  summary: 'Create a bot that you own.',
  text: 'For people in `can_create_bots_group`; those in `can_create_write_only_bots_group` create bots of type 2. The key is shown in no other answer.',
  parameters: {
    full_name: 'The name that people see. No other active bot has it',
    short_name: 'The beginning of the address, which is `<short_name>-bot@` and the domain of bots',
    bot_type: '1, the default: a general bot. 2: an incoming webhook. 3: an outgoing webhook, which the server calls',
    payload_url: 'The `http` or `https` URL at which the server calls a bot of type 3. It has no user and no password',
    interface_type: 'The form of the calls. 1, the default: of this API. 2: of Slack',
  },
  answer: {
    user_id: whole,
    api_key: { ...text, description: 'The key with which the bot logs in' },
    ...OTHER_SETTINGS,
  },
};

const UPDATE: Description = {
  id: 'update-bot',
  tag: 'bots',
  summary: 'Change the name, role, owner or webhook of a bot.',
  text: `${KEPT} The role is changed by administrators. Makes all changes, or none.`,
  parameters: {
    ...BOT_ID,
    full_name: 'The new name, which no other active bot has',
    role: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. Owners of the organization give and end 100',
    bot_owner_id: 'The id of the new owner: an active person',
    service_payload_url: 'The new URL at which the server calls a bot of type 3',
    service_interface: 'The new form of the calls. 1: of this API. 2: of Slack',
  },
  answer: SETTINGS,
};

const DEACTIVATE: Description = {
  id: 'deactivate-bot',
  tag: 'bots',
  summary: 'Deactivate a bot.',
  text: `${KEPT} Its keys are refused until the bot is reactivated. To deactivate it again changes nothing.`,
  parameters: BOT_ID,
  answer: {},
};

const REGENERATE: Description = {
  id: 'regenerate-bot-api-key',
  tag: 'bots',
  summary: 'Replace all keys of a bot with a new key.',
  text: `${KEPT} The new key is shown in no other answer. A repeated request makes another key.`,
  parameters: BOT_ID,
  answer: { api_key: { ...text, description: 'The new key' } },
};

export const botDescriptions: Descriptions = {
  'GET /bots': LIST,
  'POST /bots': CREATE,
  'PATCH /bots/{bot_id}': UPDATE,
  'DELETE /bots/{bot_id}': DEACTIVATE,
  'POST /bots/{bot_id}/api_key/regenerate': REGENERATE,
};
