import type { Readable } from 'node:stream';
import type { Filter } from '@eventstore/db-client';
import ids from '@eventstore/db-client/dist/utils/grpcUUID.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type Position, START } from '../../kernel/position.js';
import type { StoredEvent } from '../event-store.js';
import { eventFrom, isOurs, positionFrom, toEnginePosition } from './codec.js';
import type { Link } from './connection.js';

/** What a subscription brings. */
export interface Arrival {
  readonly position: Position;
  /** Undefined where it is somebody else's. */
  readonly event: StoredEvent | undefined;
  /** Of the event's data and metadata. */
  readonly bytes: number;
}

/** A stream of arrivals; it emits `confirmation` and `caughtUp` as the client's subscriptions do, and ends with an error. */
export type LogSubscription = {
  read(): Arrival | null;
  on(event: 'data', listener: (arrival: Arrival) => void): LogSubscription;
  unsubscribe(): Promise<void>;
} & Readable;

/** What the client keeps to itself: how it makes events of what the server sends; looked up in 6.2.1, its last version. */
interface Internals {
  convertGrpcEvent: (read: ReadResp.ReadEvent) => Arrival | undefined;
}

const JSON_TYPE = 'application/json';

/**
 * A live subscription to the whole log from behind a position. The client would parse every event, and make numbers and
 * dates of it that nobody asks for: here an event's data are parsed when they are looked at, which followers do with those
 * few that their filter passes.
 *
 * @param buffered how many of them the client holds at the most
 */
export function subscribeToLog(
  link: Link,
  streamPrefix: string,
  after: Position,
  filter: Filter,
  buffered: number,
): LogSubscription {
  const fromPosition = after === START ? 'start' : toEnginePosition(after);
  const subscription = link.api.subscribeToAll({ fromPosition, filter }, { highWaterMark: buffered });
  const own = subscription as unknown as LogSubscription & Internals;
  own.convertGrpcEvent = (read) => {
    try {
      return arrivalOf(read, streamPrefix);
    } catch (error) {
      // The client would make of it a rejection that nobody handles.
      own.destroy(error as Error);
      return undefined;
    }
  };
  return own;
}

/** @throws EventStoreUnavailable where it has no position, or one past the last */
function arrivalOf(read: ReadResp.ReadEvent, streamPrefix: string): Arrival {
  const record = read.getEvent();
  const position = positionFrom(record ? record.getCommitPosition() : read.getCommitPosition());
  const foreign = { position, event: undefined, bytes: 0 };
  if (!record) return foreign;
  const about = record.getMetadataMap();
  const type = about.get('type') ?? '';
  const streamId = textOf(record.getStreamIdentifier()?.getStreamName_asU8());
  if (about.get('content-type') !== JSON_TYPE || !isOurs(streamId, type, streamPrefix)) return foreign;
  const [metadata, data] = [textOf(record.getCustomMetadata_asU8()), textOf(record.getData_asU8())];
  const id = ids.parseUUID(record.getId()) ?? '';
  const revision = Number(record.getStreamRevision());
  const event = eventFrom({ id, streamId, revision, position, type, data, metadata }, streamPrefix);
  return { position, event, bytes: streamId.length + metadata.length + data.length };
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : '';
}
