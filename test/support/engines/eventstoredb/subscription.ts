import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import type { StoredRecord } from './log.js';
import { caughtUpResponse, checkpointResponse, eventResponse, fail } from './messages.js';

const DEFAULT_WINDOW = 32;
/** Number of messages that a live subscription may be behind. */
const LIVE_BUFFER = 32;
/** Time for a consumer to take the records of one append before the next come, milliseconds. */
const PATIENCE = 10;
const TOO_SLOW = 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.';
const ENDS_OF_WAITING = ['drain', 'cancelled', 'close'];

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** The records that a subscription reads. */
export interface Source {
  /** Place after which the subscription starts: a position of the log, or a revision of the stream. */
  readonly from: number;
  placeOf(record: StoredRecord): number;
  /** @returns the next page of records */
  after(place: number): readonly StoredRecord[];
  has(record: StoredRecord): boolean;
  exists(): boolean;
}

interface Filtering {
  readonly checkpointEvery: number;
  matches(record: StoredRecord): boolean;
}

/** A subscription. It catches up at the speed of its client. Live, it gets records as they come, and is dropped if it lags. */
export class Subscription {
  readonly #call: ReadCall;
  readonly #source: Source;
  readonly #filter: Filtering;
  #place: number;
  #considered = 0;
  readonly #buffer: streams.ReadResp[] = [];
  #offered = Promise.resolve();
  #sent: Promise<void> | undefined;
  #isDropped = false;
  #owesCaughtUp = false;

  constructor(call: ReadCall, source: Source, filter: streams.ReadReq.Options.FilterOptions | undefined) {
    this.#call = call;
    this.#source = source;
    this.#filter = filtering(filter);
    this.#place = source.from;
  }

  /** Sends all records so far. @returns false if the client has gone meanwhile */
  async catchUp(): Promise<boolean> {
    for (let page = this.#page(); page.length > 0; page = this.#page()) {
      for (const message of page.flatMap((record) => this.#messages(record))) {
        if (!(await send(this.#call, message))) return false;
      }
    }
    if (this.#source.exists()) this.#call.write(caughtUpResponse());
    else this.#owesCaughtUp = true;
    return !this.#call.cancelled;
  }

  /** Sends the records of an append, once earlier ones were taken or have waited for `PATIENCE`. */
  offer(records: readonly StoredRecord[]): void {
    this.#offered = this.#offered.then(async () => {
      if (this.#isDropped) return;
      const { has, placeOf } = this.#source;
      const mine = records.filter((record) => has(record) && placeOf(record) > this.#place);
      this.#buffer.push(...mine.flatMap((record) => this.#messages(record)));
      if (this.#buffer.length === 0) return;
      if (this.#buffer.length > LIVE_BUFFER) return this.drop();
      this.#sent ??= this.#send();
      await Promise.race([this.#sent, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    });
  }

  drop(): void {
    this.#isDropped = true;
    this.#call.emit('error', fail(status.ABORTED, TOO_SLOW));
  }

  #page(): readonly StoredRecord[] {
    return this.#source.after(this.#place);
  }

  async #send(): Promise<void> {
    while (!this.#isDropped) {
      const message = this.#buffer.shift();
      if (!message || !(await send(this.#call, message))) break;
    }
    this.#sent = undefined;
  }

  /** Makes the event's message if the filter matches, and a checkpoint after enough records. */
  #messages(record: StoredRecord): streams.ReadResp[] {
    this.#place = this.#source.placeOf(record);
    const messages = this.#filter.matches(record) ? [eventResponse(record)] : [];
    if (this.#owesCaughtUp) messages.push(caughtUpResponse());
    this.#owesCaughtUp = false;
    this.#considered += 1;
    if (this.#considered === this.#filter.checkpointEvery) {
      this.#considered = 0;
      messages.push(checkpointResponse(record.position));
    }
    return messages;
  }
}

/** Reads from a filter which records match, and after how many records a checkpoint comes. */
function filtering(filter: streams.ReadReq.Options.FilterOptions | undefined): Filtering {
  if (!filter) return { matches: () => true, checkpointEvery: Number.POSITIVE_INFINITY };
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW;
  const field = filter.hasStreamIdentifier() ? 'stream' : 'type';
  const expression = filter.getStreamIdentifier() ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const pattern = new RegExp(expression?.getRegex() ?? '', 'u');
  const fits = (text: string): boolean =>
    prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : pattern.test(text);
  return {
    matches: (record) => fits(record[field]),
    checkpointEvery: window * filter.getCheckpointintervalmultiplier(),
  };
}

/** Sends a message, and waits while the client takes no more. @returns false if the client has gone */
export async function send(call: ReadCall, message: streams.ReadResp): Promise<boolean> {
  if (call.cancelled || call.writableEnded || call.destroyed) return false;
  if (call.write(message)) return true;
  return new Promise((resolve) => {
    const settle = () => {
      for (const event of ENDS_OF_WAITING) call.off(event, settle);
      resolve(!call.cancelled);
    };
    for (const event of ENDS_OF_WAITING) call.on(event, settle);
  });
}
