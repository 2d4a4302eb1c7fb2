import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { NEW_CHANNEL, PERMISSION_FORM, PERMISSIONS, RETENTION, TOPICS } from './channel-options.descriptions.js';
import { subscriptionDescriptions } from './subscriptions.descriptions.js';

const NAME = '1 to 60 characters, which no other channel has in any case, not an archived one either';
const DESCRIPTION = 'at most 1,024 characters of Markdown';

const LIST: Description = {
  summary: 'List channels that you can see.',
  text: 'A channel is listed if one of the parameters asks for it. Private channels are seen by their subscribers and by those who may subscribe themselves or others, or administer them; guests see the channels to which they are subscribed.',
  parameters: {
    include_public: 'Ask for public channels. Default true',
    include_web_public: 'Asks for nothing: no channel can be read without an account',
    include_subscribed: 'Ask for channels to which you are subscribed. Default true',
    exclude_archived: 'Whether archived channels are left out. Default true',
    include_all: 'Ask for every channel that you see. Default false',
    include_all_active: 'The older name of `include_all`, refused if you are no administrator. Default false',
    include_default:
      'Ask for default channels, and tell of each channel whether it is one (`is_default`). Default false',
    include_owner_subscribed: 'Of a bot: ask for the channels to which its owner is subscribed. Default false',
    include_can_access_content: 'Ask for channels whose messages you can read. Default false',
  },
};

const ONE: Description = { summary: 'Get a channel that you can see, by its id.' };

const EMAIL: Description = {
  summary: 'Get the mail address of a channel, which is empty.',
  text: 'This server receives no mail.',
};

const ID: Description = {
  summary: 'Get the id of a channel that you can see, by its name.',
  parameters: { stream: 'The name of the channel, in any case' },
};

const CREATE: Description = {
  summary: 'Create a channel and subscribe people to it.',
  text: `For those in \`can_create_public_channel_group\`, or in \`can_create_private_channel_group\` for a private channel. ${PERMISSION_FORM} Refused if the name is taken, so that a repeated request creates no second channel.`,
  parameters: {
    name: `The name: ${NAME}`,
    description: `What the channel is for, ${DESCRIPTION}. Default: empty`,
    subscribers: 'The ids of the first subscribers. The caller is one only if named',
    ...NEW_CHANNEL,
  },
};

const UPDATE: Description = {
  summary: 'Change a channel, or unarchive it.',
  text: 'For administrators and those in `can_administer_channel_group`. Makes all changes, or none. A permission is an object with `new`, which has the form of a new channel, and, to be refused if the value is another one meanwhile, `old`. Only people who can read the channel change its privacy, and who may subscribe to it.',
  parameters: {
    new_name: `The new name: ${NAME}`,
    description: `The new description, ${DESCRIPTION}`,
    is_private:
      'Whether the channel is private. The channel of reported messages stays private, and default channels public',
    is_web_public: 'true is refused: no channel can be read without an account',
    history_public_to_subscribers:
      'Whether new subscribers read the messages from before: always, if the channel is public',
    is_default_stream: 'Whether new accounts are subscribed to the channel. For administrators',
    is_archived: 'false unarchives the channel. An operation of its own archives it',
    message_retention_days: RETENTION,
    topics_policy: `${TOPICS}. \`empty_topic_only\` is refused for a channel that has other topics`,
    folder_id: 'The id of the new folder of the channel; null: none',
    ...PERMISSIONS,
  },
};

const ARCHIVE: Description = {
  summary: 'Archive a channel: it takes no more messages.',
  text: 'For administrators and those in `can_administer_channel_group`. The channel keeps its name, messages and subscribers, and can be unarchived. To archive it again changes nothing.',
};

const MEMBERS: Description = { summary: 'List the ids of the subscribers of a channel that you can see.' };

const STATUS: Description = { summary: 'Tell whether an active account is subscribed to a channel that you can see.' };

export const descriptions: Descriptions = {
  'GET /streams': LIST,
  'GET /streams/{stream_id}': ONE,
  'PATCH /streams/{stream_id}': UPDATE,
  'DELETE /streams/{stream_id}': ARCHIVE,
  'GET /streams/{stream_id}/email_address': EMAIL,
  'GET /streams/{stream_id}/members': MEMBERS,
  'GET /get_stream_id': ID,
  'POST /channels/create': CREATE,
  'GET /users/{user_id}/subscriptions/{stream_id}': STATUS,
  ...subscriptionDescriptions,
};
