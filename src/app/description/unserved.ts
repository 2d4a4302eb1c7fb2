/** Why the server does not answer published operations, by `METHOD path`. One list: docs/api.md is made from it. */
export const unservedOperations: Readonly<Record<string, string>> = {
  'POST /dev_fetch_api_key': 'is for development servers: it needs no password',
  'PATCH /realm/user_settings_defaults': 'new accounts start with the settings that the API names',
  'GET /export/realm': 'there are no exports by API: operators copy the log with `annals copy`',
  'POST /export/realm': 'there are no exports by API: operators copy the log with `annals copy`',
  'GET /export/realm/consents': 'there are no exports by API',
  'POST /rest-error-handling': 'is no operation: it describes errors',
  'POST /zulip-outgoing-webhook': 'describes what the server itself sends to outgoing webhook bots, which it does',
  'GET /calls/bigbluebutton/create': 'no BigBlueButton server can be named',
};

/** Why published parameters are not read, by name. They come back in `ignored_parameters_unsupported`. */
export const unreadParameters: Readonly<Record<string, string>> = {
  announce: 'nobody is told of new channels by a message',
  send_new_subscription_messages: 'nobody is told of new subscriptions by a message',
  sender_id: 'channels have no mail address',
};

/** Why published events are never sent, by `type` or `type/op`. */
export const unsentEvents: Readonly<Record<string, string>> = {
  default_stream_groups: 'default channels have no groups',
  has_zoom_token: 'calls need nothing of the server',
  onboarding_steps: 'there are no hints to dismiss',
  'realm/deactivated': 'an organization cannot be deactivated',
  'realm_bot/remove': 'is deprecated: `realm_bot/update` says that a bot is deactivated',
  'realm_domains/add': 'addresses of all domains are accepted',
  'realm_domains/change': 'addresses of all domains are accepted',
  'realm_domains/remove': 'addresses of all domains are accepted',
  realm_export: 'there are no exports by API',
  realm_export_consent: 'there are no exports by API',
  realm_filters: 'is deprecated: `realm_linkifiers` has the same with templates',
  'realm_user/remove': 'is deprecated: `realm_user/update` says that an account is deactivated',
  'realm_user_settings_defaults/update': 'new accounts start with the settings that the API names',
  restart: 'queues outlive a restart of the server, so that clients need not know of it',
  submessage: 'messages have no parts that others add: the published API has no operation for it',
  web_reload_client: 'the server has no web app',
};
