import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { DELETED } from './log.js';
import { confirmationResponse, eventResponse, fail, failure, streamName, streamNotFoundResponse } from './messages.js';
import { Subscription, send } from './subscription.js';

const PAGE = 500;

/** `Streams/Read`: reads that end, and subscriptions. */
export class Reading {
  #log;
  #live = new Set();

  /** @param {import('./log.js').Log} log */
  constructor(log) {
    this.#log = log;
  }

  async read(call) {
    try {
      const options = call.request.getOptions();
      if (options.hasSubscription()) await this.#subscribe(call, options);
      else await this.#page(call, options);
    } catch (error) {
      call.emit('error', error);
    }
  }

  /** One append's records, once they are on disk. */
  publish(records) {
    for (const subscription of this.#live) subscription.offer(records);
  }

  /** As if each were too slow. */
  dropAll() {
    for (const subscription of this.#live) subscription.drop();
  }

  async #subscribe(call, options) {
    const source = options.hasAll() ? this.#allAfter(options.getAll()) : this.#streamAfter(options.getStream());
    const subscription = new Subscription(call, source, options.getFilter());
    const end = () => this.#live.delete(subscription);
    call.on('cancelled', end).on('close', end);
    await send(call, confirmationResponse(randomUUID()));
    if (await subscription.catchUp()) this.#live.add(subscription);
  }

  async #page(call, options) {
    const direction = options.getReadDirection() === 1 ? 'backwards' : 'forwards';
    const pages = options.hasAll()
      ? this.#allPages(options.getAll(), direction)
      : this.#streamPages(options.getStream(), direction);
    let left = Number(options.getCount());
    for (let from = pages.from; left > 0; ) {
      const page = pages.read(from, Math.min(left, PAGE));
      if (page.length === 0) break;
      for (const record of page) if (!(await send(call, eventResponse(record)))) return;
      left -= page.length;
      from = pages.next(page[page.length - 1]);
    }
    if (pages.isMissing) call.write(streamNotFoundResponse(streamName(options.getStream().getStreamIdentifier())));
    call.end();
  }

  #allPages(asked, direction) {
    const from = asked.hasPosition() ? this.#boundary(asked.getPosition()) : asked.hasEnd() ? this.#log.end : 0;
    return {
      from,
      read: (position, limit) => this.#log.readAll(position, direction, limit),
      next: ({ position }) => (direction === 'backwards' ? position : position + 1),
    };
  }

  #streamPages(asked, direction) {
    const { stream, last } = this.#existing(asked);
    return {
      isMissing: last < 0,
      from: asked.hasRevision() ? Math.min(Number(asked.getRevision()), DELETED) : asked.hasEnd() ? last : 0,
      read: (revision, limit) => (last < 0 ? [] : this.#log.readStream(stream, revision, direction, limit)),
      next: ({ revision }) => (direction === 'backwards' ? revision - 1 : revision + 1),
    };
  }

  /** @returns {import('./subscription.js').Source} */
  #allAfter(asked) {
    const log = this.#log;
    const newest = () => log.readAll(log.end, 'backwards', 1)[0]?.position ?? -1;
    // What lies at the position is left out: another one where that was scavenged.
    const foundAt = (position) => log.readAll(position, 'forwards', 1)[0]?.position ?? position;
    return {
      from: asked.hasPosition() ? foundAt(this.#boundary(asked.getPosition())) : asked.hasEnd() ? newest() : -1,
      placeOf: ({ position }) => position,
      after: (place) => log.readAll(place + 1, 'forwards', PAGE),
      has: () => true,
      exists: () => true,
    };
  }

  /** @returns {import('./subscription.js').Source} */
  #streamAfter(asked) {
    const { stream, last } = this.#existing(asked);
    return {
      from: asked.hasRevision() ? Number(asked.getRevision()) : asked.hasEnd() ? last : -1,
      placeOf: ({ revision }) => revision,
      after: (place) => this.#log.readStream(stream, place + 1, 'forwards', PAGE),
      has: (record) => record.stream === stream,
      exists: () => this.#log.lastRevision(stream) >= 0,
    };
  }

  /** `last` is -1 where the stream counts as missing. */
  #existing(asked) {
    const stream = streamName(asked.getStreamIdentifier());
    const last = this.#log.lastRevision(stream);
    if (last === DELETED) throw failure({ kind: 'deleted' }, { stream });
    return { stream, last: this.#log.shown(stream).isSoftDeleted ? -1 : last };
  }

  #boundary(position) {
    const commit = Number(position.getCommitPosition());
    if (position.getCommitPosition() !== position.getPreparePosition() || !this.#log.isBoundary(commit)) {
      throw fail(status.UNKNOWN, `Invalid position C:${commit}/P:${position.getPreparePosition()}`);
    }
    return commit;
  }
}
