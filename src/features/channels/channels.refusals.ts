import { badRequest, type DataOf, lackingRight, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of changes to channels and subscriptions. */
export const channelRefusals = {
  STREAM_DOES_NOT_EXIST: {
    status: 400,
    code: 'STREAM_DOES_NOT_EXIST',
    message: (data) =>
      'stream_id' in data
        ? `Channel with ID '${String(data.stream_id)}' does not exist`
        : `Channel '${String(data.stream)}' does not exist`,
    keys: ['stream', 'stream_id'],
  },
  INVALID_CHANNEL_ID: badRequest('Invalid channel ID'),
  INVALID_CHANNEL_NAME: badRequest("Invalid channel name '{name}'"),
  CHANNEL_NAME_EMPTY: badRequest("Channel name can't be empty."),
  CHANNEL_NAME_TOO_LONG: badRequest('Channel name is too long (limit: {limit} characters)'),
  CHANNEL_NAME_INVALID: badRequest('Channel name has characters that are not allowed'),
  CHANNEL_DESCRIPTION_TOO_LONG: badRequest('Channel description is too long (limit: {limit} characters)'),
  CHANNEL_ALREADY_EXISTS: { status: 409, code: 'CHANNEL_ALREADY_EXISTS', message: "Channel '{name}' already exists" },
  CHANNEL_ARCHIVED: badRequest('Channel is archived'),
  CHANNEL_WITHOUT_SUBSCRIBERS: badRequest('Channel is private and has no subscribers'),
  CHANNEL_IS_DEFAULT: badRequest('A default channel cannot be private.'),
  CHANNEL_TAKES_REPORTS: badRequest('A moderation request channel cannot be public.'),
  CHANNEL_HAS_TOPICS: badRequest('Only a channel whose messages are all in the empty topic can be limited to it.'),
  CHANNEL_CHANGE_INVALID: badRequest('Invalid parameters'),
  CHANNEL_FOLDER_NOT_FOUND: badRequest('Invalid channel folder ID'),
  CHANNEL_FOLDER_ARCHIVED: badRequest('Channel folder is archived'),
  CHANNEL_CONTENT_OUT_OF_REACH: lackingRight('Channel content access is required.'),
  CANNOT_ADMINISTER_CHANNEL: {
    status: 400,
    code: 'CANNOT_ADMINISTER_CHANNEL',
    message: 'You do not have permission to administer this channel.',
    lacksRight: true,
  },
  WEB_PUBLIC_CHANNELS_OFF: badRequest('Web-public channels are not enabled.'),
  RETENTION_LIMITED: badRequest(
    'message_retention_days is not "unlimited" or "realm_default", the only values of a server without a limited retention of messages',
  ),
  RETENTION_INVALID: badRequest("Bad value for 'message_retention_days': {value}"),
  CHANNEL_OUT_OF_REACH: badRequest('Unable to access channel ({name}).'),
  NO_CHANNELS_GIVEN: badRequest('subscriptions cannot be empty'),
  NO_SUBSCRIPTION_CHANGES: badRequest('Nothing to do. Give something to add or to delete.'),
  PRINCIPAL_DEACTIVATED: badRequest('User is deactivated'),
  NOT_SUBSCRIBED: badRequest('Not subscribed to channel ID {channelId}'),
  DEFAULT_CHANNEL_PRIVATE: badRequest('Private channels cannot be made default.'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof channelRefusals> {}
}
