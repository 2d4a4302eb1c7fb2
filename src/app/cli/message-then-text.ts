import type { AccountThen, ActThen, MessageThen } from '../../features/audit/queries/message-then.js';
import type { Json } from '../../platform/kernel/json.js';
import { isKeyMissing } from '../../platform/kernel/key-missing.js';
import { printable } from './log-entry.js';

/** Tells in sentences what a message was at a time, and who could read it. */
export function messageThenText(message: MessageThen): string {
  const { message_id, as_of, sent, edited, moved, deleted, revision } = message;
  const lines = [
    `message ${message_id}, as of ${as_of}`,
    `${nameOf(sent.by)} sent it on ${sent.time}`,
    ...done('edited', edited, `; its words were revision ${revision}`),
    ...done('moved', moved),
    ...done('deleted', deleted),
    `it was ${placeOf(message)}`,
    said(message.content),
    readers(message),
  ];
  return lines.map((line, at) => `${at === 0 ? '' : '    '}${printable(line)}\n`).join('');
}

const done = (verb: string, act: ActThen | null, more = ''): string[] =>
  act ? [`${nameOf(act.by)} ${verb} it on ${act.time}${more}`] : [];

function nameOf(account: AccountThen | null): string {
  if (!account) return 'the server';
  const { user_id, name, email } = account;
  return name === null ? `user ${user_id}` : `${name} <${email}>`;
}

function placeOf({ channel, topic, participants }: MessageThen): string {
  if (!channel) return `a direct message of ${(participants ?? []).map(nameOf).join(', ')}`;
  return `in ${channel.name ?? `channel ${channel.channel_id}`} > ${topic}`;
}

function said(content: Json): string {
  if (content === null) return 'its words are gone: their key is destroyed';
  if (isKeyMissing(content))
    return 'its words cannot be read: their key is missing, and no event tells that it was destroyed';
  if (typeof content === 'object' && 'text' in content) return `it said ${JSON.stringify(content.text)}`;
  return 'its words are sealed: --words shows them';
}

function readers({ deleted, readers: all }: MessageThen): string {
  if (deleted) return 'nobody could read it: it was deleted';
  if (all.length === 0) return 'nobody could read it';
  const accounts = all.length === 1 ? '1 account' : `${all.length} accounts`;
  return `it could be read by ${accounts}: ${all.map(({ user_id, name }) => `${name} (${user_id})`).join(', ')}`;
}
