/** Parameters that mean the same wherever they occur. An operation's own words come first. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  'Idempotency-Key':
    'Makes the send happen once however often it is repeated: the repeat gets the first answer. Any text that no other send of the account has; 7 days',
  stream_id: 'The id of the channel',
  message_id: 'The id of the message',
  user_id: 'The id of the account',
  topic: 'The topic',
};
