import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { NEW_CHANNEL, PERMISSION_FORM } from './channel-options.descriptions.js';

const PRINCIPALS = 'all by id, or all by address, at most 20,000. Default: yourself';

const LIST: Description = {
  summary: 'List the channels to which you are subscribed, with your settings of each.',
  text: 'Archived channels are left out.',
  parameters: {
    include_subscribers:
      '`true` or `partial`: the ids of the subscribers of each channel, of whom none is left out. Default `false`',
  },
};

const SUBSCRIBE: Description = {
  summary: 'Subscribe yourself or others to channels, and create those that do not exist.',
  text: `Others are subscribed by those who may add subscribers to the channel; channels are created by those who may create them. ${PERMISSION_FORM} The parameters of channels apply to new ones only. A repeated request subscribes nobody a second time, and answers with \`already_subscribed\`.`,
  parameters: {
    subscriptions:
      'Channels, as objects with a `name` and, for a new channel, a `description`. At most 1,000. A name that is there in any case is that channel',
    principals: `Who is subscribed: ${PRINCIPALS}`,
    authorization_errors_fatal:
      'Whether a channel that you may not join or add others to refuses the whole request; else it is listed in `unauthorized`. Default true',
    ...NEW_CHANNEL,
  },
};

const UPDATE: Description = {
  summary: 'Subscribe yourself to some channels, and unsubscribe yourself from others.',
  text: 'The answer names accounts by address. Nothing is changed if one of the channels refuses.',
  parameters: {
    add: 'Channels to subscribe to, as objects with a `name` and, if wanted, a `color` like `#76ce90`, and a `description` for a new channel. At most 1,000',
    delete: 'The names of channels to leave',
  },
};

const UNSUBSCRIBE: Description = {
  summary: 'Unsubscribe yourself or others from channels.',
  text: 'Others are unsubscribed by administrators and by those in `can_remove_subscribers_group` of each channel; bots by their owners, too. A repeated request changes nothing, and lists the channels in `not_removed`.',
  parameters: {
    subscriptions: 'The names of the channels, in any case. At most 1,000',
    principals: `Who is unsubscribed: ${PRINCIPALS}`,
  },
};

const PROPERTIES: Description = {
  summary: 'Change your own settings of channels to which you are subscribed.',
  text: 'Nothing is changed if one of the channels or values is refused.',
  parameters: {
    subscription_data:
      'Changes, as objects with `stream_id`, `property` and `value`, made in this order. At most 10,000. The `property` is `color`, with a value like `#76ce90`, or has true or false: `is_muted`, its opposite `in_home_view`, `pin_to_top`, or, in place of your settings for all channels, `desktop_notifications`, `email_notifications`, `push_notifications`, `audible_notifications`, `wildcard_mentions_notify`',
  },
};

export const subscriptionDescriptions: Descriptions = {
  'GET /users/me/subscriptions': LIST,
  'POST /users/me/subscriptions': SUBSCRIBE,
  'PATCH /users/me/subscriptions': UPDATE,
  'DELETE /users/me/subscriptions': UNSUBSCRIBE,
  'POST /users/me/subscriptions/properties': PROPERTIES,
};
