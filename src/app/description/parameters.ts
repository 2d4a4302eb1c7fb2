/** Parameters that mean the same wherever they occur. An operation's own words come first. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  'Idempotency-Key':
    'Makes the send happen once however often it is repeated, at any time: the repeat gets the id of the first message. 1 to 255 characters that no other send of the account has. With another `to` or `content`, the key is refused',
  allow_empty_topic_name:
    'Whether the topic without a name is shown as the empty text; false: by its display name, for clients that do not know it',
  anchor: 'The id of a message, which need not be there, or `newest`, `oldest` or `first_unread`',
  client_gravatar:
    'Whether `avatar_url` may be null, for a client that makes the address of a Gravatar from the email address by itself',
  include_anchor:
    'Whether the message of the anchor belongs to the range. Only at an end of the range it may be left out',
  message_id: 'The id of the message',
  narrow:
    'Conditions that all must hold: a list of `{"operator", "operand", "negated"}`, up to 100. Operators are `channel`, `topic`, `dm`, `dm-including`, `sender`, `id`, `has`, `is`, `in`, `search` and others of the published API. `[]`: all messages',
  queue_id: '`queue_id` of `POST /register`',
  stream_id: 'The id of the channel',
  topic: 'The topic',
  topic_name: 'The topic, in any case; empty: the topic without a name',
  user_id: 'The id of the account',
};
