import { messageIdAt } from '../../../events/messages/messages.events.js';
import { ROLES } from '../../../events/shared/role.js';
import type { Json, JsonObject } from '../../../platform/kernel/json.js';
import type { AuditEntry } from '../queries/audit-entry.js';

/**
 * What the actor did, by the kind of the event. `{field}` stands for a field of the event's data, and `{field:form}` for
 * the field in one of the `FORMS`. The fields of kinds that have no row are listed.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  MessageSent: 'sent message {messageId} to {recipient:place}',
  MessageEdited: 'edited message {messageId} in {place:place}',
  MessageDeleted: 'deleted message {messageId} of {senderId:user} in {place:place}',
  MessagesMoved: 'moved {messageCount:messages} from {from:place} to {to:place}',
  ReactionAdded: 'reacted with :{emojiName}: to message {messageId} in {place:place}',
  ReactionRemoved: 'took back :{emojiName}: from message {messageId} in {place:place}',
  ChannelCreated: 'created the channel {name}',
  ChannelRenamed: 'renamed the channel {from} to {to}',
  ChannelDescriptionChanged: 'changed the description of {channelId:channel} from {from:quoted} to {to:quoted}',
  ChannelArchived: 'archived the channel {channelId:channel}',
  ChannelUnarchived: 'restored the archived channel {channelId:channel}',
  ChannelFolderCreated: 'made the channel folder {name}',
  ChannelFolderRenamed: 'renamed the channel folder {from} to {to}',
  ChannelFolderArchived: 'archived the channel folder {name}',
  ChannelFolderUnarchived: 'restored the archived channel folder {name}',
  UsersSubscribed: 'subscribed {userIds:users} to {channelId:channel}',
  UsersUnsubscribed: 'unsubscribed {userIds:users} from {channelId:channel}',
  UserCreated: 'created the account {userId} of {fullName} <{email}> as {role:role}',
  BotCreated: 'created the bot {userId}, {fullName} <{email}>',
  UserRenamed: 'renamed {userId:user} from {from} to {to}',
  UserRoleChanged: 'changed the role of {userId:user} from {from:role} to {to:role}',
  UserEmailChanged: 'changed the address of {userId:user} from {from} to {to}',
  UserDeactivated: 'deactivated {userId:user}',
  UserReactivated: 'reactivated {userId:user}',
  PasswordChanged: 'changed the password of {userId:user}',
  PermissionGranted: 'granted {permission} to {userId:user}',
  PermissionRevoked: 'revoked {permission} of {userId:user}',
  OrganizationCreated: 'created the organization {name}',
  RealmSettingChanged: 'changed the setting {setting} of the organization from {from:quoted} to {to:quoted}',
  LoggedIn: 'logged in as {userId:user}',
  ActRefused: 'was refused {method} {route}: {message}',
  LogSignerChanged: 'changed the signer of the log from {previousVerifier} to {verifier}',
  BackupRestored: 'restored the log from a backup of {events} events',
  EventSkipped: 'passed over the event {id} ({type}), which cannot be read',
  MissingKeysAccepted: 'gave up {keys} of the {of} newest keys, which were missing',
  OperatorActed: 'ran annals {command}',
};

type Form = (value: Json, entry: AuditEntry) => string;

const FORMS: Readonly<Record<string, Form>> = {
  text: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  quoted: (value) => JSON.stringify(value),
  channel: (id, entry) => channelNamed(id, entry),
  place: (value, entry) => {
    const { channelId = null, topic, userIds } = objectOf(value);
    return Array.isArray(userIds)
      ? `a direct message of ${usersOf(userIds)}`
      : `${channelNamed(channelId, entry)} > ${topic}`;
  },
  user: (id) => `user ${id}`,
  users: (ids) => usersOf(ids),
  role: (role) => Object.entries(ROLES).find(([, number]) => number === role)?.[0] ?? `role ${role}`,
  messages: (count) => (count === 1 ? '1 message' : `${count} messages`),
};

/** Fields that say how the server works, and nothing about what was done. */
const INTERNAL: ReadonlySet<string> = new Set([
  ...['placeAsOf', 'sendKey', 'localEcho', 'keyId', 'previousKeyId', 'keyHash', 'keyHashes', 'passwordHash'],
  ...['rendered', 'renderedDescription', 'rendererVersion', 'reach', 'notices'],
]);

/** Tells what was done: in a sentence, or else by the fields of the event. @param sealed the field with what people wrote */
export function toldInWords(entry: AuditEntry, sealed: string | undefined): string {
  const data: JsonObject =
    entry.kind === 'MessageSent' ? { ...entry.data, messageId: messageIdAt(entry.revision) } : entry.data;
  const sentence = SENTENCES[entry.kind];
  if (sentence === undefined) return listed(data, sealed);
  return sentence.replace(
    /\{(\w+)(?::(\w+))?\}/g,
    (_, field: string, form = 'text') => (FORMS[form] ?? FORMS.text)?.(data[field] ?? null, entry) ?? '',
  );
}

const listed = (data: JsonObject, sealed: string | undefined): string =>
  Object.entries(data)
    .filter(([name, value]) => name !== sealed && !INTERNAL.has(name) && value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const channelNamed = (id: Json, { channels }: AuditEntry): string =>
  channels.find(({ channel_id }) => channel_id === id)?.name ?? `channel ${id}`;

const usersOf = (ids: Json): string =>
  Array.isArray(ids) && ids.length !== 1 ? `users ${ids.join(', ')}` : `user ${[ids].flat()}`;

const objectOf = (value: Json): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
