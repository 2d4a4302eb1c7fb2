import { eventRegistry } from '../../../src/events/event-registry.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import { isMoved, type MessagesMoved, type TopicPlace } from '../../../src/events/messages/topics.events.js';
import type { DomainEvent, Recorded } from '../../../src/platform/kernel/event.js';

/** The parameters of the endpoint that choose events. */
export interface Question {
  readonly message_id?: number;
  readonly channel_id?: number;
  readonly topic?: string;
  readonly subject_user_id?: number;
  readonly actor?: string;
  readonly kind?: readonly string[];
  readonly client?: string;
  /** In its shortest spelling. */
  readonly address?: string;
  readonly since?: number;
  readonly until?: number;
}

/** The positions of the events that a question asks for, by reading the whole log, with the addresses of requests. */
export function auditFold(events: readonly Recorded[], question: Question): number[] {
  const actors = question.actor === undefined ? null : holdersOf(events, question.actor);
  const moves = question.message_id === undefined ? new Set() : movesOf(events, question.message_id);
  return events.filter((event) => isAskedFor(event, question, actors, moves)).map(({ position }) => position);
}

function isAskedFor(
  event: Recorded,
  question: Question,
  actors: ReadonlySet<number> | null,
  moves: ReadonlySet<unknown>,
) {
  const { message_id, channel_id, topic, subject_user_id, kind, client, address, since, until } = question;
  const { metadata, position, type } = event;
  const concerned = eventRegistry.get(type)?.concerns(event) ?? {};
  const { messageIds = [], channelIds = [], topics = [], userIds = [] } = concerned;
  const second = Math.floor(metadata.at / 1000);
  const isUnaskedReading = type === 'AuditWordsRead' && kind === undefined;
  return [
    message_id === undefined || (messageIds.includes(message_id) && !isUnaskedReading) || moves.has(position),
    channel_id === undefined || channelIds.includes(channel_id) || topics.some((one) => one.channelId === channel_id),
    topic === undefined || topics.some((one) => one.channelId === channel_id && isSame(one.topic, topic)),
    subject_user_id === undefined || userIds.includes(subject_user_id),
    actors === null || (metadata.actorId !== null && actors.has(metadata.actorId)),
    kind === undefined || kind.includes(type),
    client === undefined || metadata.client === client,
    address === undefined || metadata.address === address,
    since === undefined || second >= since,
    until === undefined || second <= until,
  ].every(Boolean);
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function holdersOf(events: readonly Recorded[], actor: string): Set<number> {
  if (/^\d+$/.test(actor)) return new Set([Number(actor)]);
  const holders = new Set<number>();
  for (const { type, data } of events) {
    const given = data as { userId?: number; fullName?: string; email?: string; to?: unknown };
    const names = type === 'UserRenamed' || type === 'UserEmailChanged' ? [given.to] : [given.fullName, given.email];
    if (given.userId !== undefined && names.some((name) => isSame(String(name), actor))) holders.add(given.userId);
  }
  return holders;
}

/** Moves every message of the organization along, and notes the moves of one. */
function movesOf(events: readonly Recorded[], messageId: number): Set<number> {
  const places = new Map<number, TopicPlace>();
  const moves = new Set<number>();
  for (const event of events) {
    if (isOf<MessageSent>(event, 'MessageSent')) {
      const { recipient } = event.data;
      if (recipient.type === 'channel') places.set(event.revision + 1, recipient);
    }
    if (event.type === 'MessageDeleted') places.delete((event.data as { messageId: number }).messageId);
    if (!isOf<MessagesMoved>(event, 'MessagesMoved')) continue;
    const { from, to } = event.data;
    for (const [id, place] of places) {
      if (place.channelId !== from.channelId || !isSame(place.topic, from.topic) || !isMoved(event.data, id)) continue;
      places.set(id, to);
      if (id === messageId) moves.add(event.position);
    }
  }
  return moves;
}

const isOf = <E extends DomainEvent>(event: Recorded, type: E['type']): event is Recorded<E> => event.type === type;
