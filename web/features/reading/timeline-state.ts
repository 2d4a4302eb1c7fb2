import type { ClientEvent, Message, ReactionEvent, UpdateMessageEvent } from '../../platform/client-events.js';
import { contains, type MessagePlace } from '../../platform/places.js';

/** The messages of a place that are loaded: a part without gaps, by ascending id. */
export interface Timeline {
  readonly messages: readonly Message[];
  readonly hasOldest: boolean;
  readonly hasNewest: boolean;
  /** Messages were moved to the place that are not loaded. */
  readonly isOutdated: boolean;
}

export const EMPTY: Timeline = { messages: [], hasOldest: false, hasNewest: false, isOutdated: false };

/** More are not held: those at the other end are loaded again when one comes there. */
const MOST_MESSAGES = 3000;

export interface Page {
  readonly messages: readonly Message[];
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

export function withOlder({ messages, hasNewest }: Timeline, page: Page): Timeline {
  const all = merged(page.messages, messages);
  const kept = all.slice(0, MOST_MESSAGES);
  return {
    messages: kept,
    hasOldest: page.found_oldest,
    hasNewest: hasNewest && kept.length === all.length,
    isOutdated: false,
  };
}

export function withNewer({ messages, hasOldest }: Timeline, page: Page): Timeline {
  const all = merged(messages, page.messages);
  const kept = all.slice(-MOST_MESSAGES);
  return {
    messages: kept,
    hasOldest: hasOldest && kept.length === all.length,
    hasNewest: page.found_newest,
    isOutdated: false,
  };
}

/** Applies an event; once more does no harm. */
export function evolveTimeline(timeline: Timeline, event: ClientEvent, place: MessagePlace, myId: number): Timeline {
  switch (event.type) {
    case 'message':
      return onMessage(timeline, { ...event.message, flags: event.flags }, place, myId);
    case 'update_message':
      return onUpdated(timeline, event, place, myId);
    case 'delete_message':
      return { ...timeline, messages: timeline.messages.filter(({ id }) => !event.message_ids.includes(id)) };
    case 'reaction':
      return changed(timeline, [event.message_id], (message) => withReaction(message, event));
    case 'update_message_flags': {
      const { flag, op, all, messages } = event;
      const isMore = op === 'add' && flag === 'starred' && place.kind === 'starred';
      const isMissing = isMore && messages.some((one) => !timeline.messages.some(({ id }) => id === one));
      const ids = all ? timeline.messages.map(({ id }) => id) : messages;
      const next = changed(timeline, ids, (message) => withFlag(message, flag, op === 'add'));
      return isMissing ? { ...next, isOutdated: true } : next;
    }
    default:
      return timeline;
  }
}

function onMessage(timeline: Timeline, message: Message, place: MessagePlace, myId: number): Timeline {
  if (!timeline.hasNewest) return timeline;
  const isOfPlace = contains(place, message, myId);
  if (isOfPlace === null) return { ...timeline, hasNewest: false };
  if (!isOfPlace || timeline.messages.some(({ id }) => id === message.id)) return timeline;
  return withNewer(timeline, { messages: [message], found_oldest: false, found_newest: true });
}

function onUpdated(timeline: Timeline, event: UpdateMessageEvent, place: MessagePlace, myId: number): Timeline {
  const { message_id, message_ids, rendered_content, edit_timestamp, flags, subject } = event;
  let next = timeline;
  if (rendered_content !== undefined)
    next = changed(next, [message_id], (message) => ({
      ...message,
      content: rendered_content,
      last_edit_timestamp: edit_timestamp,
      // The event tells the flags of the content alone for certain.
      flags: [...new Set([...message.flags.filter((flag) => flag === 'read' || flag === 'starred'), ...flags])],
    }));
  const channelId = event.new_stream_id ?? event.stream_id;
  if (channelId === undefined || (subject === undefined && event.new_stream_id === undefined)) return next;
  next = changed(next, message_ids, (message) => ({
    ...message,
    stream_id: channelId,
    subject: subject ?? message.subject,
  }));
  const known = new Set(next.messages.map(({ id }) => id));
  const comesHere =
    (place.kind === 'channel' && place.channelId === channelId) ||
    (place.kind === 'topic' &&
      place.channelId === channelId &&
      place.topic.toLowerCase() === (subject ?? event.orig_subject ?? '').toLowerCase());
  return {
    ...next,
    messages: next.messages.filter((message) => contains(place, message, myId) !== false),
    isOutdated: next.isOutdated || (comesHere && message_ids.some((id) => !known.has(id))),
  };
}

function withReaction(
  message: Message,
  { op, user_id, emoji_name, emoji_code, reaction_type }: ReactionEvent,
): Message {
  const others = message.reactions.filter(
    (one) => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  );
  const reactions = op === 'add' ? [...others, { user_id, emoji_name, emoji_code, reaction_type }] : others;
  return { ...message, reactions };
}

function withFlag(message: Message, flag: string, isSet: boolean): Message {
  if (message.flags.includes(flag) === isSet) return message;
  return { ...message, flags: isSet ? [...message.flags, flag] : message.flags.filter((one) => one !== flag) };
}

function changed(timeline: Timeline, ids: readonly number[], change: (message: Message) => Message): Timeline {
  const wanted = new Set(ids);
  if (!timeline.messages.some(({ id }) => wanted.has(id))) return timeline;
  return {
    ...timeline,
    messages: timeline.messages.map((message) => (wanted.has(message.id) ? change(message) : message)),
  };
}

/** The second of two equal messages counts. */
function merged(some: readonly Message[], others: readonly Message[]): readonly Message[] {
  const byId = new Map([...some, ...others].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
