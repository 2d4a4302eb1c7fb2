import type { ClientEvent, FlagsEvent, Registered, UpdateMessageEvent } from '../client-events.js';
import { type Conversation, conversationOf, direct, keyOf, topic } from './conversation.js';

interface UnreadConversation {
  readonly conversation: Conversation;
  readonly ids: ReadonlySet<number>;
}

/** Unread messages by their conversation's key; none is empty. */
export type Unread = ReadonlyMap<string, UnreadConversation>;

export function initialUnread({ unread_msgs: { streams, pms, huddles }, user_id: myId }: Registered): Unread {
  let unread: Unread = new Map();
  for (const { stream_id, topic: name, unread_message_ids } of streams)
    unread = withIds(unread, topic(stream_id, name), unread_message_ids);
  for (const { other_user_id, unread_message_ids } of pms)
    unread = withIds(unread, direct([other_user_id], myId), unread_message_ids);
  for (const { user_ids_string, unread_message_ids } of huddles)
    unread = withIds(unread, direct(user_ids_string.split(',').map(Number), myId), unread_message_ids);
  return unread;
}

export function evolveUnread(unread: Unread, event: ClientEvent, myId: number): Unread {
  switch (event.type) {
    case 'message':
      if (event.flags.includes('read')) return unread;
      return withIds(unread, conversationOf(event.message, myId), [event.message.id]);
    case 'update_message':
      return onMoved(unread, event);
    case 'update_message_flags':
      return event.flag === 'read' ? onRead(unread, event, myId) : unread;
    case 'delete_message':
      return withoutIds(unread, event.message_ids);
    case 'subscription':
      if (event.op !== 'remove') return unread;
      return withoutChannels(
        unread,
        event.subscriptions.map(({ stream_id }) => stream_id),
      );
    case 'stream':
      return event.op === 'delete' ? withoutChannels(unread, event.stream_ids) : unread;
    default:
      return unread;
  }
}

export const countOf = (unread: Unread, conversation: Conversation): number =>
  unread.get(keyOf(conversation))?.ids.size ?? 0;

export function countOfChannel(unread: Unread, channelId: number): number {
  let count = 0;
  for (const { conversation, ids } of unread.values())
    if (conversation.kind === 'topic' && conversation.channelId === channelId) count += ids.size;
  return count;
}

function onRead(unread: Unread, { op, all, messages, message_details = {} }: FlagsEvent, myId: number): Unread {
  if (op === 'add') return all ? new Map() : withoutIds(unread, messages);
  let changed = unread;
  for (const id of messages) {
    const { type, stream_id, topic: name, user_ids = [] } = message_details[id] ?? {};
    if (type === 'private') changed = withIds(changed, direct(user_ids, myId), [id]);
    else if (stream_id !== undefined) changed = withIds(changed, topic(stream_id, name ?? ''), [id]);
  }
  return changed;
}

/** Only unread messages stay so: the event names all that were moved. */
function onMoved(unread: Unread, event: UpdateMessageEvent): Unread {
  const { message_ids, stream_id, new_stream_id, orig_subject, subject } = event;
  if (stream_id === undefined || (new_stream_id === undefined && subject === undefined)) return unread;
  const name = subject ?? orig_subject;
  const moved = message_ids.flatMap((id) => {
    const from = [...unread.values()].find(({ ids }) => ids.has(id))?.conversation;
    return from?.kind === 'topic' ? [{ id, to: topic(new_stream_id ?? stream_id, name ?? from.topic) }] : [];
  });
  let changed = withoutIds(
    unread,
    moved.map(({ id }) => id),
  );
  for (const { id, to } of moved) changed = withIds(changed, to, [id]);
  return changed;
}

function withIds(unread: Unread, conversation: Conversation, ids: readonly number[]): Unread {
  if (ids.length === 0) return unread;
  const key = keyOf(conversation);
  const known = unread.get(key);
  const changed = { conversation: known?.conversation ?? conversation, ids: new Set([...(known?.ids ?? []), ...ids]) };
  return new Map(unread).set(key, changed);
}

function withoutIds(unread: Unread, ids: readonly number[]): Unread {
  const changed = new Map(unread);
  for (const [key, { conversation, ids: known }] of unread) {
    const gone = new Set(ids.filter((id) => known.has(id)));
    if (gone.size === 0) continue;
    const rest = new Set([...known].filter((id) => !gone.has(id)));
    if (rest.size === 0) changed.delete(key);
    else changed.set(key, { conversation, ids: rest });
  }
  return changed;
}

const withoutChannels = (unread: Unread, channelIds: readonly number[]): Unread =>
  new Map(
    [...unread].filter(
      ([, { conversation }]) => conversation.kind === 'direct' || !channelIds.includes(conversation.channelId),
    ),
  );
