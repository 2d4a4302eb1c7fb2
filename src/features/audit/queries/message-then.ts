import { channelKey, userKey } from '../../../../projections/audit/audit-keys.js';
import type { MessageDeleted, MessageEdited } from '../../../events/messages/message.events.js';
import { messageStream } from '../../../events/messages/message.events.js';
import type { MessageSent, Recipient } from '../../../events/messages/messages.events.js';
import type { MessagesMoved } from '../../../events/messages/topics.events.js';
import { SYSTEM_BOTS } from '../../../events/shared/system-bots.js';
import { shownData } from '../../../events/shown-data.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { DomainEvent, Recorded } from '../../../platform/kernel/event.js';
import type { Json } from '../../../platform/kernel/json.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { AuditLog } from '../log/audit-log.js';
import type { AuditWords } from '../services/audit-words.js';
import type { AuditDocuments } from './audit-documents.js';
import { movesOf } from './moves-of-message.js';
import { NamesThen } from './names-then.js';
import { positionAt } from './position-then.js';
import { type ReaderThen, readersThen, type Then } from './readers-then.js';

/** An account with its name and address as of then; null: not known. */
export interface AccountThen {
  readonly user_id: number;
  readonly name: string | null;
  readonly email: string | null;
}

/** An act on the message. */
export interface ActThen {
  /** ISO 8601, UTC, with milliseconds. */
  readonly time: string;
  /** null: the server itself. */
  readonly by: AccountThen | null;
}

/** A message as it was at a time. */
export interface MessageThen {
  readonly message_id: number;
  /** The last millisecond that counts. */
  readonly as_of: string;
  readonly sent: ActThen;
  /** The last edit of its words; null: they were as sent. */
  readonly edited: ActThen | null;
  /** The last move; null: it was where it was sent to. */
  readonly moved: ActThen | null;
  /** null: it was not deleted. */
  readonly deleted: ActThen | null;
  /** 0: as sent; each edit makes the next. */
  readonly revision: number;
  /** Words: `{"sealed": true}` unless they are asked for, null once their key is destroyed, `KEY_MISSING` if it is missing. */
  readonly content: Json;
  /** null: a direct message. */
  readonly channel: { readonly channel_id: number; readonly name: string | null } | null;
  readonly topic: string | null;
  /** The people of a direct message; null: it was in a channel. */
  readonly participants: readonly AccountThen[] | null;
  /** The accounts that could read it; none if it was deleted. */
  readonly readers: readonly ReaderThen[];
}

export interface MessageQuestion {
  readonly messageId: number;
  /** Milliseconds since 1970; null: now. */
  readonly asOf: number | null;
}

interface ThenSources {
  readonly documents: AuditDocuments;
  readonly log: AuditLog;
  /** null: the answer has no words. */
  readonly words: AuditWords | null;
}

/** The events that made the message what it was. */
interface Past {
  readonly sent: Recorded<MessageSent>;
  readonly edited: Recorded<MessageEdited> | null;
  readonly moves: readonly Recorded<MessagesMoved>[];
  readonly deleted: Recorded<MessageDeleted> | null;
}

/** @throws DomainError NO_MESSAGE_THEN; UnavailableError, EventStoreUnavailable; what `AuditWords.reading` throws */
export async function messageThen(
  { messageId, asOf }: MessageQuestion,
  { documents, log, words }: ThenSources,
  connection: ClientConnection,
): Promise<MessageThen> {
  const at = asOf ?? Date.now();
  const head = await log.head();
  await documents.reach(head);
  const position = asOf === null ? head : await positionAt(asOf, head, documents);
  const past = (await pastOf(messageId, position, documents, log)) ?? refuse('NO_MESSAGE_THEN');
  const { sent, edited, moves, deleted } = past;
  const place = moves.at(-1)?.data.to ?? sent.data.recipient;
  const names = await namesFor(past, place, position, documents);
  const account = (userId: number): AccountThen => accountThen(userId, position, names);
  const act = (event: Recorded | null | undefined): ActThen | null => {
    const { at, actorId = null } = event?.metadata ?? {};
    if (at === undefined) return null;
    return { time: new Date(at).toISOString(), by: actorId === null ? null : account(actorId) };
  };
  const inChannel = 'channelId' in place ? place : null;
  return {
    message_id: messageId,
    as_of: new Date(at).toISOString(),
    sent: { time: new Date(sent.metadata.at).toISOString(), by: account(sent.data.senderId) },
    edited: act(edited),
    moved: act(moves.at(-1)),
    deleted: act(deleted),
    revision: edited?.data.contentRevision ?? 0,
    channel: inChannel && {
      channel_id: inChannel.channelId,
      name: names.of(channelKey(inChannel.channelId), 'name', position),
    },
    topic: inChannel?.topic ?? null,
    participants: 'userIds' in place ? place.userIds.map(account) : null,
    readers: await readersOf(past, { position, at }, log, connection),
    content: await contentOf(edited ?? sent, log, words),
  };
}

/** null: there was no such message. */
async function pastOf(
  messageId: number,
  position: Position,
  documents: AuditDocuments,
  log: AuditLog,
): Promise<Past | null> {
  const sent = await log.sendOf(messageId);
  if (!sent || sent.position > position) return null;
  let edited: Recorded<MessageEdited> | null = null;
  let deleted: Recorded<MessageDeleted> | null = null;
  for await (const event of log.streamUpTo(messageStream(messageId), position)) {
    if (isOf<MessageEdited>(event, 'MessageEdited')) edited = event;
    if (isOf<MessageDeleted>(event, 'MessageDeleted')) deleted = event;
  }
  const positions = (await movesOf(sent, messageId, documents, log)).filter((moved) => moved <= position);
  const found = await documents.events.find({ _id: { $in: positions } }, { sort: { _id: 1 } });
  const moves = (await log.eventsOf(found)).filter((event) => isOf<MessagesMoved>(event, 'MessagesMoved'));
  return { sent, edited, moves, deleted };
}

async function namesFor(
  { sent, edited, moves, deleted }: Past,
  place: Recipient | MessagesMoved['data']['to'],
  position: Position,
  documents: AuditDocuments,
): Promise<NamesThen> {
  const actors = [edited, moves.at(-1), deleted].map((event) => event?.metadata.actorId ?? null);
  const userIds = [sent.data.senderId, ...actors, ...('userIds' in place ? place.userIds : [])];
  const holders = userIds.flatMap((userId) => (userId === null ? [] : [userKey(userId)]));
  if ('channelId' in place) holders.push(channelKey(place.channelId));
  const names = new NamesThen(documents);
  await names.readAll(new Map(holders.map((holder) => [holder, position])));
  return names;
}

/** The server's own accounts have no events, and always the same name. */
function accountThen(userId: number, position: Position, names: NamesThen): AccountThen {
  const bot = SYSTEM_BOTS.find(({ id }) => id === userId);
  return {
    user_id: userId,
    name: bot?.fullName ?? names.of(userKey(userId), 'name', position),
    email: bot?.email ?? names.of(userKey(userId), 'email', position),
  };
}

function readersOf(
  { sent, moves, deleted }: Past,
  then: Then,
  log: AuditLog,
  connection: ClientConnection,
): Promise<readonly ReaderThen[]> | [] {
  if (deleted) return [];
  const { recipient, calledBotIds = [] } = sent.data;
  const between = moves.filter(({ data: { from, to } }) => from.channelId !== to.channelId);
  const [first, last] = [between[0], between.at(-1)];
  const arrival = first && last && { arrivedPosition: last.position, firstChannelId: first.data.from.channelId };
  const to = moves.at(-1)?.data.to;
  const place = to ? ({ type: 'channel', ...to } as const) : recipient;
  return readersThen({ place, sentPosition: sent.position, calledBotIds, ...arrival }, then, log, connection);
}

/** The words of an event, once the log says who reads them. */
async function contentOf(event: Recorded, log: AuditLog, words: AuditWords | null): Promise<Json> {
  if (!words) return shownData(event, false).content ?? null;
  const [opened = event] = await log.eventsOf([{ ...event, _id: event.position }]);
  await words.reading([opened]);
  return shownData(opened, words.shows(opened)).content ?? null;
}

const isOf = <E extends DomainEvent>(event: Recorded, type: E['type']): event is Recorded<E> => event.type === type;
