import { Transform, type TransformCallback } from 'node:stream';
import { convertToCommandError, type Filter } from '@eventstore/db-client';
import type { Position } from '../../kernel/position.js';
import type { StoredEvent } from '../event-store.js';
import { isClientCancellationError } from './client-internals.js';
import { checkedPosition, eventFrom, isOurs } from './codec.js';
import type { Link } from './connection.js';
import type { ReadCall } from './log-client.js';
import { JSON_TYPE, type ReadAnswer } from './log-messages.js';

/** An event that a subscription brings. */
export interface Arrival {
  readonly position: Position;
  /** Undefined for other programs' events. */
  readonly event: StoredEvent | undefined;
  /** Bytes of the event's data and metadata. */
  readonly bytes: number;
}

/**
 * A live subscription to the whole log: a stream of arrivals, which emits `confirmation` and `caughtUp` when the server
 * says so, and ends with an `error`. An event's data are parsed when they are looked at, which followers do with those few
 * that their filter passes.
 */
export class LogSubscription extends Transform {
  constructor(
    private readonly call: Promise<ReadCall>,
    private readonly streamPrefix: string,
    private readonly checkpointReached: Filter['checkpointReached'],
    buffered: number,
  ) {
    super({ objectMode: true, highWaterMark: buffered });
    void this.begin();
  }

  override on(event: 'data', listener: (arrival: Arrival) => void): this;
  // biome-ignore lint/suspicious/noExplicitAny: as Node declares it
  override on(event: string, listener: (...told: any[]) => void): this;
  // biome-ignore lint/suspicious/noExplicitAny: as Node declares it
  override on(event: string, listener: (...told: any[]) => void): this {
    return super.on(event, listener);
  }

  override read(size?: number): Arrival | null {
    return super.read(size);
  }

  override _transform(answer: ReadAnswer, _: BufferEncoding, next: TransformCallback): void {
    if (answer.isConfirmation) this.emit('confirmation');
    if (answer.isCaughtUp) this.emit('caughtUp');
    if (answer.checkpoint) {
      const { commit, prepare } = answer.checkpoint;
      this.checkpointReached?.(undefined as never, { commit: BigInt(commit), prepare: BigInt(prepare) });
    }
    try {
      next(null, arrivalOf(answer, this.streamPrefix));
    } catch (error) {
      next(error as Error);
    }
  }

  async unsubscribe(): Promise<void> {
    const call = await this.call;
    // Cancelled in the turn in which it was made, a call is not cancelled at all.
    setImmediate(() => call.cancel());
  }

  private async begin(): Promise<void> {
    try {
      const call = await this.call;
      call.on('error', (error) => {
        if (!isClientCancellationError(error)) this.emit('error', convertToCommandError(error));
      });
      call.pipe(this);
    } catch (error) {
      this.emit('error', error);
    }
  }
}

/**
 * From behind a position.
 *
 * @param buffered how many arrivals are held at the most
 */
export function subscribeToLog(
  { client }: Link,
  streamPrefix: string,
  after: Position,
  filter: Filter,
  buffered: number,
): LogSubscription {
  return new LogSubscription(client.openLog(after, filter), streamPrefix, filter.checkpointReached, buffered);
}

/** Undefined where the server tells of something else. @throws EventStoreUnavailable where a position is past the last one */
function arrivalOf({ event: recorded, commitPosition }: ReadAnswer, streamPrefix: string): Arrival | undefined {
  if (!recorded) {
    return commitPosition === undefined
      ? undefined
      : { position: checkedPosition(commitPosition), event: undefined, bytes: 0 };
  }
  const position = checkedPosition(recorded.commitPosition);
  const { streamName: streamId, type, contentType, metadata, data } = recorded;
  if (contentType !== JSON_TYPE || !isOurs(streamId, type, streamPrefix)) {
    return { position, event: undefined, bytes: 0 };
  }
  const { id, revision } = recorded;
  const event = eventFrom({ id, streamId, revision, position, type, data, metadata }, streamPrefix);
  return { position, event, bytes: streamId.length + metadata.length + data.length };
}
