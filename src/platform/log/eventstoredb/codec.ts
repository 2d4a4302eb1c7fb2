import type { AllStreamResolvedEvent, Position as EnginePosition, ResolvedEvent } from '@eventstore/db-client';
import { type Json, type JsonObject, parsedJson } from '../../kernel/json.js';
import { MAX_POSITION, type Position } from '../../kernel/position.js';
import type { EncodedEvent } from '../encode-append.js';
import { EventStoreUnavailable, type ExpectedRevision, type StoredEvent, type StoredMetadata } from '../event-store.js';

/** Fields of an event's metadata that the adapter adds. */
interface Marks {
  readonly schemaVersion?: unknown;
  /** Prefix of the organization that wrote the event; absent from old events. */
  readonly streamPrefix?: unknown;
}

/** An event from the server. Data and metadata are JSON texts in UTF-8. */
interface Received extends Pick<StoredEvent, 'id' | 'revision' | 'position' | 'type'> {
  readonly streamId: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

/** Decodes an event; undefined if another program wrote it. Its data are parsed at the first access, and frozen. */
export function eventFrom(received: Received, streamPrefix: string): StoredEvent | undefined {
  const { id, streamId, revision, position, type, data: bytes } = received;
  const decoded = metadataFrom(parsedJson(received.metadata.toString('utf8')), streamPrefix);
  if (!decoded) return undefined;
  let data: JsonObject | undefined;
  return Object.freeze({
    id,
    stream: streamId.slice(streamPrefix.length),
    revision,
    position,
    type,
    version: decoded.version,
    get data() {
      data ??= frozen(JSON.parse(bytes.toString('utf8')) as JsonObject);
      return data;
    },
    metadata: Object.freeze(decoded.metadata),
  });
}

/** Decodes an event of this organization; undefined for the engine's own (`$`) and those under other prefixes. */
export function decodeEvent(
  resolved: ResolvedEvent | AllStreamResolvedEvent,
  streamPrefix: string,
): StoredEvent | undefined {
  const { event } = resolved;
  if (!event?.isJson || !isOurs(event.streamId, event.type, streamPrefix)) return undefined;
  const decoded = metadataFrom(event.metadata, streamPrefix);
  if (!decoded) return undefined;
  return {
    id: event.id,
    stream: event.streamId.slice(streamPrefix.length),
    revision: Number(event.revision),
    position: positionOf(resolved),
    type: event.type,
    version: decoded.version,
    data: event.data as JsonObject,
    metadata: decoded.metadata,
  };
}

/** Reads the metadata; undefined if Annals did not write the event under this prefix. */
function metadataFrom(
  stored: unknown,
  streamPrefix: string,
): { readonly version: number; readonly metadata: StoredMetadata } | undefined {
  const { schemaVersion, streamPrefix: writtenUnder = streamPrefix, ...metadata } = (stored ?? {}) as Marks;
  // Written by another program.
  if (typeof schemaVersion !== 'number') return undefined;
  // Written by another organization, whose prefix begins with this one. Every prefix begins with the empty one.
  if (writtenUnder !== streamPrefix) return undefined;
  return { version: schemaVersion, metadata: metadata as StoredMetadata };
}

/** Writes an event's metadata as the JSON text that the engine stores. */
export function metadataText({ version, metadata }: EncodedEvent, streamPrefix: string): string {
  const marks = JSON.stringify({ schemaVersion: version, streamPrefix } satisfies Marks);
  return metadata === '{}' ? marks : `${marks.slice(0, -1)},${metadata.slice(1)}`;
}

/** Gives an event's position. Servers since 23.10 always send it. */
export function positionOf({ event, commitPosition }: ResolvedEvent | AllStreamResolvedEvent): Position {
  return toPosition(event?.position?.commit ?? commitPosition);
}

/** @throws EventStoreUnavailable */
function toPosition(commit: bigint | undefined): Position {
  if (commit === undefined) throw new EventStoreUnavailable('EventStoreDB gave an event without its position', 'no');
  return checkedPosition(Number(commit));
}

/** @throws EventStoreUnavailable */
export function checkedPosition(commit: number): Position {
  if (commit <= MAX_POSITION) return commit;
  throw new EventStoreUnavailable(`EventStoreDB's position ${commit} is past ${MAX_POSITION}, the last one`, 'no');
}

export function toEnginePosition(position: Position): EnginePosition {
  return { commit: BigInt(position), prepare: BigInt(position) };
}

/** @throws TypeError for names that are reserved for the engine */
export function checkNotSystem(stream: string, types: readonly EncodedEvent[], streamPrefix: string): void {
  if (!isOurs(streamPrefix + stream, '', streamPrefix) || types.some(({ type }) => type.startsWith('$'))) {
    throw new TypeError(`names that begin with $ are EventStoreDB's own: ${stream}`);
  }
}

/** Gives the revision that the stream's last event must have; -1: no stream, undefined: any. */
export function lastRevisionExpected(expected: ExpectedRevision): number | undefined {
  if (expected === 'any') return undefined;
  return expected === 'new' ? -1 : expected;
}

/** Freezes an event, which all followers share, and estimates its size in bytes. */
export function freezeAndWeigh(event: StoredEvent): number {
  Object.freeze(event);
  return event.stream.length + freeze(event.data) + freeze(event.metadata as unknown as Json);
}

export function isOurs(streamId: string, type: string, streamPrefix: string): boolean {
  if (!streamId.startsWith(streamPrefix) || type.startsWith('$')) return false;
  return streamPrefix !== '' || !streamId.startsWith('$');
}

function freeze(value: Json): number {
  if (typeof value === 'string') return 16 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 32;
  for (const key in value) bytes += key.length + freeze((value as Record<string, Json>)[key] as Json);
  Object.freeze(value);
  return bytes;
}

function frozen<Value extends Json>(value: Value): Value {
  freeze(value);
  return value;
}
