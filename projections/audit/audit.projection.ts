import type { AuditWordsRead } from '../../src/events/accesses/accesses.events.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import { MESSAGES_STREAM } from '../../src/events/messages/messages.events.js';
import type { MessagesMoved } from '../../src/events/messages/topics.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Concerned } from '../../src/platform/kernel/concerned.js';
import type { DomainEvent, Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { insert, type Projection } from '../../src/platform/read-models/projection.js';
import { channelKey, messageKey, readingKey, topicKey, userKey } from './audit-keys.js';
import { HOURS, hourBegun, LATEST_HOUR, LATEST_HOURS } from './hours.js';
import { NAMES, namesGiven } from './names.js';

/** An event, by what it can be asked for. The event itself is read from the log. */
export interface AuditDocument extends StoredDocument {
  /** The event's position. */
  readonly _id: Position;
  /** The event's id. */
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Absent: the server itself. */
  readonly actorId?: number;
  readonly client: string;
  /** Keys of what the event concerns (`audit-keys.ts`), each once; absent: nothing. */
  readonly about?: readonly string[];
  /** The topic from which a move takes more than one message: a message's moves are found by its topics. */
  readonly movesFrom?: string;
}

export const AUDIT_EVENTS = 'events';

/** The type of event that is a reading of messages. */
export const READING: AuditWordsRead['type'] = 'AuditWordsRead';

/** The answers to questions about the log, such as who changed a message. No command or reader of messages waits for it. */
export const audit: Projection = {
  name: 'audit',
  version: 2,
  collections: {
    [AUDIT_EVENTS]: {
      indexes: [
        { keys: { about: 1, _id: 1 }, sparse: true, multikey: 'about' },
        { keys: { actorId: 1, _id: 1 }, sparse: true },
        { keys: { id: 1 } },
        { keys: { type: 1, _id: 1 } },
        { keys: { client: 1, _id: 1 } },
        { keys: { movesFrom: 1, _id: 1 }, sparse: true },
      ],
    },
    [NAMES]: { indexes: [{ keys: { holder: 1, position: 1 } }, { keys: { key: 1 } }] },
    [HOURS]: { indexes: [{ keys: { hour: 1, _id: 1 } }] },
    [LATEST_HOURS]: {},
  },
  on: Object.fromEntries(
    [...eventRegistry].map(([type, { concerns }]) => [
      type,
      async (event, documents) => [
        insert(AUDIT_EVENTS, auditDocument(event, concerns(event))),
        ...namesGiven(event).map((name) => insert(NAMES, name)),
        ...(await hourBegun(event, documents)),
      ],
    ]),
  ) satisfies Projection['on'],
  prefetch: Object.fromEntries([...eventRegistry.keys()].map((type) => [type, () => [[LATEST_HOURS, LATEST_HOUR]]])),
  awaited: false,
};

function auditDocument(event: Recorded, concerned: Concerned): AuditDocument {
  const { position, id, stream, revision, type, metadata } = event;
  const about = keysOf(event, concerned);
  return {
    _id: position,
    id,
    stream,
    revision,
    type,
    at: metadata.at,
    ...(metadata.actorId !== null && { actorId: metadata.actorId }),
    client: metadata.client,
    ...(about.length > 0 && { about }),
    ...(isMove(event) && event.data.propagateMode !== 'change_one' && { movesFrom: topicKey(event.data.from) }),
  };
}

function keysOf({ stream, type }: Recorded, concerned: Concerned): string[] {
  const { userIds = [], channelIds = [], topics = [], messageIds = [] } = concerned;
  const messageKeyOf = type === READING ? readingKey : messageKey;
  const keys = [
    ...userIds.map(userKey),
    ...[...channelIds, ...topics.map(({ channelId }) => channelId)].map(channelKey),
    ...topics.map(topicKey),
    // A message's number tells the revision of its MessageSent. Most events are such: they need no key for it.
    ...(stream === MESSAGES_STREAM ? [] : messageIds.map(messageKeyOf)),
  ];
  return [...new Set(keys)];
}

const isMove = (event: DomainEvent): event is MessagesMoved => event.type === 'MessagesMoved';
