import { channelKey, userKey } from '../../../../projections/audit/audit-keys.js';
import type { Directory } from '../../../directory/directory.js';
import { eventRegistry } from '../../../events/event-registry.js';
import { shownData } from '../../../events/shown-data.js';
import type { ConcernedTopic } from '../../../platform/kernel/concerned.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import type { Position } from '../../../platform/kernel/position.js';
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
}

/** An event, with the channels and topics that it concerns. */
interface Concerning {
  readonly event: Recorded;
  readonly channelIds: readonly number[];
  readonly topics: readonly ConcernedTopic[];
}

export async function auditEntries(
  events: readonly Recorded[],
  documents: AuditDocuments,
  directory: Directory,
): Promise<readonly AuditEntry[]> {
  const concerning = events.map(withConcerned);
  const names = await namesOf(concerning, documents);
  return concerning.map((one) => auditEntry(one, names, directory));
}

function withConcerned(event: Recorded): Concerning {
  const { channelIds = [], topics = [] } = eventRegistry.get(event.type)?.concerns(event) ?? {};
  const all = [...channelIds, ...topics.map(({ channelId }) => channelId)];
  return { event, channelIds: [...new Set(all)], topics };
}

/** Reads the names of everyone in the events, each once. */
async function namesOf(all: readonly Concerning[], documents: AuditDocuments): Promise<NamesThen> {
  const spans = new Map<string, readonly [oldest: Position, newest: Position]>();
  for (const { event, channelIds } of all) {
    const { position, metadata } = event;
    const holders = [...channelIds.map(channelKey), ...(metadata.actorId === null ? [] : [userKey(metadata.actorId)])];
    for (const holder of holders) {
      const [oldest, newest] = spans.get(holder) ?? [position, position];
      spans.set(holder, [Math.min(oldest, position), Math.max(newest, position)]);
    }
  }
  const names = new NamesThen(documents);
  for (const [holder, [oldest, newest]] of spans) await names.read(holder, oldest, newest);
  return names;
}

function auditEntry({ event, channelIds, topics }: Concerning, names: NamesThen, directory: Directory): AuditEntry {
  const { id, position, stream, revision, type, metadata } = event;
  return {
    id,
    position,
    stream,
    revision,
    kind: type,
    time: new Date(metadata.at).toISOString(),
    actor: metadata.actorId === null ? null : actorOf(metadata.actorId, position, names, directory),
    client: metadata.client,
    request_id: metadata.correlationId,
    caused_by: metadata.causationId,
    address: metadata.address ?? null,
    channels: channelIds.map((channelId) => ({
      channel_id: channelId,
      name: names.of(channelKey(channelId), 'name', position),
      name_today: directory.channel(channelId)?.name ?? null,
    })),
    topics: topics.map(({ channelId, topic }) => ({ channel_id: channelId, topic })),
    data: shownData(event, false),
  };
}

function actorOf(userId: number, position: Position, names: NamesThen, directory: Directory): AuditActor {
  const today = directory.user(userId);
  return {
    user_id: userId,
    name: names.of(userKey(userId), 'name', position),
    email: names.of(userKey(userId), 'email', position),
    name_today: today?.fullName ?? null,
    email_today: today?.email ?? null,
  };
}
