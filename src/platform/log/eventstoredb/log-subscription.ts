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
  /** Undefined for events of other programs. */
  readonly event: StoredEvent | undefined;
  /** Bytes of the event's data and metadata. */
  readonly bytes: number;
}

/**
 * A live subscription to the whole log: a stream of arrivals. Emits `confirmation` and `caughtUp` as the server does, and
 * ends with an `error`. An event's data are parsed at the first access, because followers look at few events.
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
  override on(event: string, listener: (...args: any[]) => void): this;
  // biome-ignore lint/suspicious/noExplicitAny: as Node declares it
  override on(event: string, listener: (...args: any[]) => void): this {
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
    // The library ignores a cancellation in the turn in which the call was made.
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
 * Subscribes to the events after a position.
 *
 * @param buffered largest number of buffered arrivals
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

/** Decodes an event; undefined for other answers. @throws EventStoreUnavailable if a position is past the largest */
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
