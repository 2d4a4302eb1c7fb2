import { randomUUID } from 'node:crypto';
import { convertToCommandError } from '@eventstore/db-client';
import { AwakeTimer } from '../../kernel/awake-time.js';
import { MAX_POSITION, type Position } from '../../kernel/position.js';
import type { EncodedEvent } from '../encode-append.js';
import type { ExpectedRevision } from '../event-store.js';
import { BatchAppendResp, unpackToCommandError } from './client-internals.js';
import { metadataText } from './codec.js';
import type { EngineClient } from './engine-client.js';
import type { AppendStream } from './log-client.js';
import { type AppendAnswer, bytesOfAppend } from './log-messages.js';

export interface Appended {
  /** Revision of the last event. */
  readonly revision: number;
  /** Undefined if the server does not give it, as it may for a recognized repeat. */
  readonly position: Position | undefined;
}

interface Waiting {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: AwakeTimer;
}

/**
 * The appends of one client, over the server's streaming call for appends: they land in the order of the calls.
 *
 * The client's `appendToStream` uses the same call, with a table of pending appends that all clients of a process share.
 * It throws outside of any promise, which ends the process, in two cases: an answer is missing from the table, and a
 * connection breaks under writes that wait for room. Here each stream has its own table, and ignores unexpected answers.
 */
export class BatchAppends {
  private readonly waiting = new Map<string, Waiting>();
  private stream: AppendStream | undefined;
  private unsent: Buffer[] | undefined;

  constructor(private readonly client: EngineClient) {}

  /**
   * Rejects with the client's errors, or after `milliseconds` without an answer. Most errors leave open whether the events
   * were written: see `classifyAppendFailure`.
   */
  send(
    streamPrefix: string,
    stream: string,
    events: readonly EncodedEvent[],
    expected: ExpectedRevision,
    milliseconds: number,
  ): Promise<Appended> {
    const correlationId = randomUUID();
    const request = bytesOfAppend({
      correlationId,
      streamName: streamPrefix + stream,
      expected,
      // A frozen server that resumes later does not write the events.
      deadline: Date.now() + milliseconds,
      events: events.map((event) => ({ ...event, metadata: metadataText(event, streamPrefix) })),
    });
    return new Promise((resolve, reject) => {
      const give = () => this.settle(correlationId)?.reject(new Error(`no answer for ${milliseconds} ms`));
      this.waiting.set(correlationId, { resolve, reject, timer: new AwakeTimer(milliseconds, give) });
      this.write(request);
    });
  }

  private write(request: Buffer): void {
    if (this.stream) this.stream.write(request);
    else if (this.unsent) this.unsent.push(request);
    else {
      this.unsent = [request];
      void this.open();
    }
  }

  private async open(): Promise<void> {
    try {
      const stream = await this.client.openAppendStream();
      stream.on('data', (answer: AppendAnswer) => this.answered(answer));
      stream.on('error', (error: Error) => this.ended(stream, convertToCommandError(error)));
      stream.on('end', () => this.ended(stream, new Error('the server has ended the call for appends')));
      this.stream = stream;
      for (const request of this.unsent ?? []) stream.write(request);
    } catch (error) {
      this.rejectAll(error);
    } finally {
      this.unsent = undefined;
    }
  }

  private answered(answer: AppendAnswer): void {
    const waiting = this.settle(answer.correlationId);
    if (!waiting) return;
    try {
      waiting.resolve(appendedOf(answer));
    } catch (error) {
      waiting.reject(error);
    }
  }

  private ended(stream: AppendStream, error: unknown): void {
    if (this.stream !== stream) return;
    this.stream = undefined;
    stream.cancel();
    this.rejectAll(error);
  }

  private rejectAll(error: unknown): void {
    for (const correlationId of [...this.waiting.keys()]) this.settle(correlationId)?.reject(error);
  }

  private settle(correlationId: string): Waiting | undefined {
    const waiting = this.waiting.get(correlationId);
    this.waiting.delete(correlationId);
    waiting?.timer.clear();
    return waiting;
  }
}

/** @throws the error that the server answered with */
function appendedOf({ refusal, revision, commitPosition }: AppendAnswer): Appended {
  if (refusal) throw errorOf(refusal);
  if (revision === undefined) throw new Error('an answer without a revision');
  const isKnown = commitPosition !== undefined && commitPosition <= MAX_POSITION;
  return { revision, position: isKnown ? commitPosition : undefined };
}

function errorOf(refusal: Buffer): unknown {
  const answer = BatchAppendResp.deserializeBinary(refusal);
  const error = answer.getError();
  if (!error?.getDetails()) return new Error(`code ${error?.getCode()} ${error?.getMessage()}`);
  const name = answer.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array();
  return unpackToCommandError(error, Buffer.from(name).toString('utf8'));
}
