import { channelKey, userKey } from '../../../../projections/audit/audit-keys.js';
import { eventRegistry } from '../../../events/event-registry.js';
import { shownData } from '../../../events/shown-data.js';
import type { ConcernedTopic } from '../../../platform/kernel/concerned.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { Proof } from '../../../platform/transparency/proofs.js';
import type { AuditWords } from '../services/audit-words.js';
import type { AuditDocuments } from './audit-documents.js';
import { NamesThen } from './names-then.js';

/** An account with its name and address as of the event, and as of today; null: not known. */
export interface AuditActor {
  readonly user_id: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly name_today: string | null;
  readonly email_today: string | null;
}

export interface AuditChannel {
  readonly channel_id: number;
  readonly name: string | null;
  readonly name_today: string | null;
}

/** An event of the log, as the API shows it. */
export interface AuditEntry {
  readonly id: string;
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  /** The stored type. */
  readonly kind: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly time: string;
  /** null: the server itself. */
  readonly actor: AuditActor | null;
  /** The operating system's user who gave the command on the command line; null: nobody did. */
  readonly operator: string | null;
  readonly client: string;
  readonly request_id: string;
  /** Id of the event that this one follows from; null for the first. */
  readonly caused_by: string | null;
  /** The address that the request came from; null: not known. */
  readonly address: string | null;
  readonly channels: readonly AuditChannel[];
  /** As of the event. */
  readonly topics: readonly { readonly channel_id: number; readonly topic: string }[];
  readonly data: JsonObject;
  /** Proves that the log has the event; absent unless it is asked for. */
  readonly proof?: Proof;
}

/** An event, as today's version and as it is shown, with the channels and topics that it concerns. */
interface Concerning {
  readonly event: Recorded;
  readonly shown: Recorded;
  readonly channelIds: readonly number[];
  readonly topics: readonly ConcernedTopic[];
}

/**
 * @param words null: the entries have none
 * @param shown the same events, if their data are shown in another version than today's
 */
export async function auditEntries(
  events: readonly Recorded[],
  documents: AuditDocuments,
  words: Pick<AuditWords, 'shows'> | null,
  shown = events,
): Promise<readonly AuditEntry[]> {
  const concerning = events.map((event, at) => withConcerned(event, shown[at] ?? event));
  const names = await namesOf(concerning, documents);
  return concerning.map((one) => auditEntry(one, names, words?.shows(one.event) ?? false));
}

function withConcerned(event: Recorded, shown: Recorded): Concerning {
  const { channelIds = [], topics = [] } = eventRegistry.get(event.type)?.concerns(event) ?? {};
  const all = [...channelIds, ...topics.map(({ channelId }) => channelId)];
  return { event, shown, channelIds: [...new Set(all)], topics };
}

/** Reads the names of everyone in the events, each once. */
async function namesOf(all: readonly Concerning[], documents: AuditDocuments): Promise<NamesThen> {
  const oldest = new Map<string, Position>();
  for (const { event, channelIds } of all) {
    const { position, metadata } = event;
    const holders = [...channelIds.map(channelKey), ...(metadata.actorId === null ? [] : [userKey(metadata.actorId)])];
    for (const holder of holders) oldest.set(holder, Math.min(oldest.get(holder) ?? position, position));
  }
  const names = new NamesThen(documents);
  await names.readAll(oldest);
  return names;
}

function auditEntry({ event, shown, channelIds, topics }: Concerning, names: NamesThen, hasWords: boolean): AuditEntry {
  const { id, position, stream, revision, type, metadata } = event;
  return {
    id,
    position,
    stream,
    revision,
    kind: type,
    time: new Date(metadata.at).toISOString(),
    actor: metadata.actorId === null ? null : actorOf(metadata.actorId, position, names),
    operator: metadata.operator ?? null,
    client: metadata.client,
    request_id: metadata.correlationId,
    caused_by: metadata.causationId,
    address: metadata.address ?? null,
    channels: channelIds.map((channelId) => ({
      channel_id: channelId,
      name: names.of(channelKey(channelId), 'name', position),
      name_today: names.today(channelKey(channelId), 'name'),
    })),
    topics: topics.map(({ channelId, topic }) => ({ channel_id: channelId, topic })),
    data: shownData(shown, hasWords),
  };
}

function actorOf(userId: number, position: Position, names: NamesThen): AuditActor {
  return {
    user_id: userId,
    name: names.of(userKey(userId), 'name', position),
    email: names.of(userKey(userId), 'email', position),
    name_today: names.today(userKey(userId), 'name'),
    email_today: names.today(userKey(userId), 'email'),
  };
}
