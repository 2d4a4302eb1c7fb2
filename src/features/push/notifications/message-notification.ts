import { topicForClients } from '../../../events/messages/topic-name.js';
import type { PushTrigger } from '../domain/push-trigger.js';
import { googleData, innerBase, type Notification, type PushOrigin, plainBase } from './notification.js';

/** A message as a notification tells it. */
export interface PushedMessage {
  readonly id: number;
  /** Seconds since 1970. */
  readonly time: number;
  /** Plain text. */
  readonly content: string;
  readonly sender: { readonly id: number; readonly email: string; readonly name: string; readonly avatarUrl: string };
  readonly to:
    | { readonly type: 'channel'; readonly id: number; readonly name: string; readonly topic: string }
    | {
        readonly type: 'direct';
        /** Ids of all participants, ascending. */
        readonly userIds: readonly number[];
        /** Names of the others, sorted. */
        readonly names: readonly string[];
      };
  readonly trigger: PushTrigger;
  /** The group whose mention is the trigger. */
  readonly group: { readonly id: number; readonly name: string } | null;
}

type Fields = Readonly<Record<string, string | number>>;

/** The text of readable notifications if the organization wants encrypted ones. */
const HIDDEN_CONTENT = 'New message';

/** Greatest number of messages that one notification removes. */
export const MOST_REMOVED = 200;

const collapseIdOf = (messageId: number): string => `m${messageId}`;

/** @param hidesContent readable notifications say only that there is a message */
export function messageNotification(origin: PushOrigin, message: PushedMessage, hidesContent: boolean): Notification {
  const { id, time, sender, to, content } = message;
  const shown = hidesContent ? HIDDEN_CONTENT : content;
  const group: Fields = message.group
    ? { mentioned_user_group_id: message.group.id, mentioned_user_group_name: message.group.name }
    : {};
  const pmUsers: Fields = to.type === 'direct' && to.userIds.length > 2 ? { pm_users: to.userIds.join(',') } : {};
  const plainPlace: Fields =
    to.type === 'channel'
      ? { recipient_type: 'stream', stream: to.name, stream_id: to.id, topic: topicForClients(to.topic, false) }
      : { recipient_type: 'private', ...pmUsers };
  const innerPlace =
    to.type === 'channel'
      ? { recipient_type: 'channel', channel_id: to.id, channel_name: to.name, topic: to.topic }
      : { recipient_type: 'direct', ...pmUsers };
  const from = { sender_id: sender.id, sender_email: sender.email };
  return {
    plain: {
      isUrgent: true,
      collapseId: collapseIdOf(id),
      apple: {
        alert: { title: titleOf(message), subtitle: subtitleOf(message), body: shown },
        sound: 'default',
        badge: 0,
        zulip: { ...plainBase(origin), message_ids: [id], time, ...from, ...plainPlace, ...group },
      },
      google: googleData(origin, {
        event: 'message',
        zulip_message_id: id,
        time,
        content: shown,
        ...from,
        sender_full_name: sender.name,
        sender_avatar_url: sender.avatarUrl,
        ...plainPlace,
        ...group,
      }),
    },
    inner: JSON.stringify({
      ...innerBase(origin, 'message'),
      message_id: id,
      sender_id: sender.id,
      sender_full_name: sender.name,
      sender_avatar_url: sender.avatarUrl,
      time,
      content,
      ...innerPlace,
      ...group,
    }),
  };
}

/** @param messageIds ascending, at most MOST_REMOVED */
export function removeNotification(origin: PushOrigin, messageIds: readonly number[], id: string): Notification {
  const zulip_message_ids = messageIds.join(',');
  return {
    plain: {
      isUrgent: false,
      collapseId: id,
      apple: { badge: 0, zulip: { ...plainBase(origin), event: 'remove', zulip_message_ids } },
      google: googleData(origin, { event: 'remove', zulip_message_ids }),
    },
    inner: JSON.stringify({ ...innerBase(origin, 'remove'), message_ids: messageIds }),
  };
}

function titleOf({ to, sender }: PushedMessage): string {
  if (to.type === 'channel') return `#${to.name} > ${topicForClients(to.topic, false)}`;
  return to.userIds.length > 2 ? to.names.join(', ') : sender.name;
}

function subtitleOf({ to, sender: { name }, trigger, group }: PushedMessage): string {
  if (trigger === 'mentioned') return group ? `${name} mentioned @${group.name}:` : `${name} mentioned you:`;
  if (trigger.includes('wildcard_mentioned')) return `${name} mentioned everyone:`;
  return to.type === 'direct' && to.userIds.length <= 2 ? '' : `${name}:`;
}
