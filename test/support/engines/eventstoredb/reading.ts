import { randomUUID } from 'node:crypto';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { DELETED, type Log, type StoredRecord } from './log.js';
import { confirmationResponse, eventResponse, fail, failure, streamName, streamNotFoundResponse } from './messages.js';
import { type ReadCall, type Source, Subscription, send } from './subscription.js';

type Options = streams.ReadReq.Options;
type Direction = 'forwards' | 'backwards';

/** The pages of a read that ends. */
interface Pages {
  readonly isMissing?: boolean;
  readonly from: number;
  read(from: number, limit: number): readonly StoredRecord[];
  next(record: StoredRecord): number;
}

const PAGE = 500;

/** Serves `Streams/Read`: reads that end, and subscriptions. */
export class Reading {
  readonly #log: Log;
  readonly #live = new Set<Subscription>();

  constructor(log: Log) {
    this.#log = log;
  }

  async read(call: ReadCall): Promise<void> {
    try {
      const options = given(call.request.getOptions());
      if (options.hasSubscription()) await this.#subscribe(call, options);
      else await this.#page(call, options);
    } catch (error) {
      call.emit('error', error);
    }
  }

  /** Gives the records of an append to live subscriptions. They must be on disk. */
  publish(records: readonly StoredRecord[]): void {
    for (const subscription of this.#live) subscription.offer(records);
  }

  /** Ends all live subscriptions, as if their consumers were too slow. */
  dropAll(): void {
    for (const subscription of this.#live) subscription.drop();
  }

  async #subscribe(call: ReadCall, options: Options): Promise<void> {
    const all = options.getAll();
    const source = all ? this.#allAfter(all) : this.#streamAfter(given(options.getStream()));
    const subscription = new Subscription(call, source, options.getFilter());
    const end = () => this.#live.delete(subscription);
    call.on('cancelled', end).on('close', end);
    await send(call, confirmationResponse(randomUUID()));
    if (await subscription.catchUp()) this.#live.add(subscription);
  }

  async #page(call: ReadCall, options: Options): Promise<void> {
    const direction = options.getReadDirection() === 1 ? 'backwards' : 'forwards';
    const all = options.getAll();
    const pages = all ? this.#allPages(all, direction) : this.#streamPages(given(options.getStream()), direction);
    let left = Number(options.getCount());
    for (let from = pages.from; left > 0; ) {
      const page = pages.read(from, Math.min(left, PAGE));
      const last = page.at(-1);
      if (!last) break;
      for (const record of page) if (!(await send(call, eventResponse(record)))) return;
      left -= page.length;
      from = pages.next(last);
    }
    if (pages.isMissing) call.write(streamNotFoundResponse(streamName(options.getStream()?.getStreamIdentifier())));
    call.end();
  }

  #allPages(asked: streams.ReadReq.Options.AllOptions, direction: Direction): Pages {
    const position = asked.getPosition();
    const from = position ? this.#boundary(position) : asked.hasEnd() ? this.#log.end : 0;
    return {
      from,
      read: (position, limit) => this.#log.readAll(position, direction, limit),
      next: ({ position }) => (direction === 'backwards' ? position : position + 1),
    };
  }

  #streamPages(asked: streams.ReadReq.Options.StreamOptions, direction: Direction): Pages {
    const { stream, last } = this.#existing(asked);
    return {
      isMissing: last < 0,
      from: asked.hasRevision() ? Math.min(Number(asked.getRevision()), DELETED) : asked.hasEnd() ? last : 0,
      read: (revision, limit) => (last < 0 ? [] : this.#log.readStream(stream, revision, direction, limit)),
      next: ({ revision }) => (direction === 'backwards' ? revision - 1 : revision + 1),
    };
  }

  #allAfter(asked: streams.ReadReq.Options.AllOptions): Source {
    const asIs = asked.getPosition();
    const log = this.#log;
    const newest = () => log.readAll(log.end, 'backwards', 1)[0]?.position ?? -1;
    // The record at the position is left out, or the next one if that record was scavenged.
    const foundAt = (position: number): number => log.readAll(position, 'forwards', 1)[0]?.position ?? position;
    return {
      from: asIs ? foundAt(this.#boundary(asIs)) : asked.hasEnd() ? newest() : -1,
      placeOf: ({ position }) => position,
      after: (place) => log.readAll(place + 1, 'forwards', PAGE),
      has: () => true,
      exists: () => true,
    };
  }

  #streamAfter(asked: streams.ReadReq.Options.StreamOptions): Source {
    const { stream, last } = this.#existing(asked);
    return {
      from: asked.hasRevision() ? Number(asked.getRevision()) : asked.hasEnd() ? last : -1,
      placeOf: ({ revision }) => revision,
      after: (place) => this.#log.readStream(stream, place + 1, 'forwards', PAGE),
      has: (record) => record.stream === stream,
      exists: () => this.#log.lastRevision(stream) >= 0,
    };
  }

  /** @returns `last`: -1 if the stream counts as missing */
  #existing(asked: streams.ReadReq.Options.StreamOptions): { readonly stream: string; readonly last: number } {
    const stream = streamName(asked.getStreamIdentifier());
    const last = this.#log.lastRevision(stream);
    if (last === DELETED) throw failure({ kind: 'deleted' }, { stream });
    return { stream, last: this.#log.shown(stream).isSoftDeleted ? -1 : last };
  }

  #boundary(position: streams.ReadReq.Options.Position): number {
    const commit = Number(position.getCommitPosition());
    if (position.getCommitPosition() !== position.getPreparePosition() || !this.#log.isBoundary(commit)) {
      throw fail(status.UNKNOWN, `Invalid position C:${commit}/P:${position.getPreparePosition()}`);
    }
    return commit;
  }
}

function given<T>(part: T | undefined): T {
  if (part === undefined) throw fail(status.INVALID_ARGUMENT, 'a part of the request is missing');
  return part;
}
