import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { listOf, objectOf, type Schema, text, textOrNull, whole } from '../../../platform/http/openapi/schema.js';

const storedEvent = objectOf({
  id: text,
  type: text,
  version: whole,
  stream: text,
  revision: whole,
  data: { type: 'object' },
  metadata: { type: 'object' },
});

const proof = objectOf(
  {
    event: { ...storedEvent, description: 'The event as it is stored, content as ciphertext' },
    hidden: { ...listOf(text), description: 'Members that are shown without their hashes of passwords or keys' },
    leaf: { ...text, description: 'Base64. What the proof is about, if something is hidden' },
    proof: { ...text, description: 'C2SP tlog-proof: index, hashes up to the root, and the signed checkpoint' },
    content_key: { ...text, description: 'Base64. With words: opens the content of this event, and proves it' },
  },
  ['hidden', 'leaf', 'content_key'],
);

const entry = objectOf(
  {
    id: text,
    position: { ...whole, description: 'In the log' },
    stream: text,
    revision: whole,
    kind: { ...text, description: 'The type of the event' },
    time: { ...text, format: 'date-time' },
    actor: {
      ...objectOf({
        user_id: whole,
        name: textOrNull,
        email: textOrNull,
        name_today: textOrNull,
        email_today: textOrNull,
      }),
      type: ['object', 'null'],
      description: 'Names as of the event and as of today; null: the server itself',
    },
    operator: {
      ...textOrNull,
      description: "The operating system's user who gave the command on the command line; null: nobody did",
    },
    client: { ...text, description: 'The client program' },
    request_id: { ...text, description: '`X-Request-Id` of the request' },
    caused_by: { ...textOrNull, description: 'Id of the event that this one follows from' },
    address: { ...textOrNull, description: 'Where the request came from; null: not known, or no longer kept' },
    channels: listOf(objectOf({ channel_id: whole, name: textOrNull, name_today: textOrNull })),
    topics: listOf(objectOf({ channel_id: whole, topic: text })),
    data: {
      type: 'object',
      description:
        'The data of the event, with old and new values. With `words`, content is null once its key is destroyed, and `{"keyMissing": true}` if its key is missing and no event tells that it was destroyed',
    },
    proof,
  },
  ['proof'],
);

/** Parameters of a question. */
const QUESTION = {
  message_id:
    'Events of the message, a deleted one too, and of the moves that took it along; who read its words is asked for by `kind`, too',
  channel_id: 'Events that concern the channel, its topics or its messages',
  topic: 'Events of this topic of `channel_id`, in any case, as of each event',
  subject_user_id: 'Events that concern this account',
  actor: 'Events by the account with this id, or by each that has or had this name or address',
  kind: 'Events of these types; of a message, `AuditWordsRead` is found only if it is among them',
  client: 'Events of requests by this client program',
  address: 'Events of requests from this IP address, in any spelling',
  since: 'From the beginning of this time on: a day, a minute, a second or less of ISO 8601, or a second since 1970',
  until: 'Up to the end of this time, which has the forms of `since`',
};

const AUDIT_EVENTS: Description = {
  id: 'get-audit-events',
  tag: 'audit',
  summary:
    'Find the events of the log: who changed what, when, and from where. For owners, and those in `can_audit_group`. Unknown parameters and accounts are refused.',
  parameters: {
    ...QUESTION,
    order: 'By position in the log',
    limit: 'At most so many; without it 100, or all as JSON lines or CSV',
    after: 'The `cursor` of the answer before',
    proofs: 'Whether each event has a proof that the log has it',
    words: 'Whether content is shown where its key still exists; the reading is itself an event',
  },
  answer: {
    events: listOf(entry),
    cursor: { type: ['integer', 'null'], description: '`after` of the next page; null: there are no more events' },
    found_end: { type: 'boolean' },
  },
  otherForms: {
    'application/x-ndjson': 'All events up to the newest at the question, one a line',
    'text/csv': 'The same as a table',
  },
};

const AUDIT_ACTIVITY: Description = {
  id: 'get-audit-activity',
  tag: 'audit',
  summary:
    'Count the events that `GET /audit/events` would find, by time. For those who may read the audit. Unknown parameters and accounts are refused.',
  text: 'An answer counts some ten thousand events: with a cursor, ask again with `after`, and add up.',
  parameters: {
    ...QUESTION,
    width: 'Of a part of time: seconds. Parts begin at a multiple of it since 1970, in UTC',
    after: 'The `cursor` of the answer before',
  },
  answer: {
    parts: {
      ...listOf(
        objectOf({
          time: { ...text, format: 'date-time', description: 'Its first moment' },
          events: { ...whole, description: 'More than 0' },
        }),
      ),
      description: 'Parts of time with events, the oldest first',
    },
    cursor: { type: ['integer', 'null'], description: '`after` of the next answer; null: all are counted' },
  },
};

const AUDIT_PROOF: Description = {
  id: 'get-audit-proof',
  tag: 'audit',
  summary:
    'Prove that the log has an event, or each event of a message. `verify.mjs` checks the answer. Unknown parameters are refused.',
  parameters: {
    event_id: 'The id of the event',
    message_id: 'The message whose events are proved, readings of its words aside',
  },
  answer: { proofs: listOf(proof) },
};

const account = objectOf({ user_id: whole, name: textOrNull, email: textOrNull });

const act = objectOf({
  time: { ...text, format: 'date-time' },
  by: { ...account, type: ['object', 'null'], description: 'Null: the server itself' },
});

const actOrNull = (description: string): Schema => ({ ...act, type: ['object', 'null'], description });

const AUDIT_MESSAGE: Description = {
  id: 'get-audit-message',
  tag: 'audit',
  summary:
    'Show what a message was at a time, and who could read it. For those who may read the audit. Unknown parameters are refused.',
  parameters: {
    message_id: 'The message, which may be deleted today',
    as_of: 'Up to the end of this time, which has the forms of `since` of `/audit/events`; without it, now',
    words: 'Whether content is shown where its key still exists; the reading is itself an event',
  },
  answer: {
    message_id: whole,
    as_of: { ...text, format: 'date-time', description: 'The last millisecond that counts' },
    sent: { ...act, description: '`by`: the sender. Names and addresses are as of then' },
    edited: actOrNull('The last edit of its words'),
    moved: actOrNull('The last move'),
    deleted: actOrNull('Null: it was not deleted then'),
    revision: { ...whole, description: 'Of its words: 0 as sent, and each edit makes the next' },
    content: {
      type: ['object', 'null'],
      description:
        'The words of the revision; `{"sealed": true}` without `words`, null once their key is destroyed, `{"keyMissing": true}` if it is missing and no event tells that it was destroyed',
    },
    channel: {
      ...objectOf({ channel_id: whole, name: textOrNull }),
      type: ['object', 'null'],
      description: 'As of then; null: a direct message',
    },
    topic: textOrNull,
    participants: { ...listOf(account), type: ['array', 'null'], description: 'Of a direct message' },
    readers: {
      ...listOf(objectOf({ user_id: whole, name: text })),
      description: 'The active accounts that could read it, by id; none if it was deleted',
    },
  },
};

const AUDITORS: Description = {
  id: 'get-auditors',
  tag: 'audit',
  summary: 'Show who may audit besides owners: the value of `can_audit_group`.',
  answer: {
    can_audit_group: {
      description: 'The id of a user group, or members and subgroups',
      anyOf: [whole, { type: 'object' }],
    },
  },
};

export const descriptions: Descriptions = {
  'GET /audit/events': AUDIT_EVENTS,
  'GET /audit/activity': AUDIT_ACTIVITY,
  'GET /audit/proof': AUDIT_PROOF,
  'GET /audit/message': AUDIT_MESSAGE,
  'GET /audit/auditors': AUDITORS,
};
