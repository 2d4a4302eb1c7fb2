import type { Sealed } from '../content-keys/seal.js';
import type { EventMetadata, EventPlace } from '../kernel/event.js';
import type { JsonObject } from '../kernel/json.js';
import type { Position } from '../kernel/position.js';

/** Metadata as the log stores them: the address is sealed. */
export interface StoredMetadata extends Omit<EventMetadata, 'address'> {
  readonly address?: Sealed;
}

/** An event as the log stores it: the payload is JSON of the version it was written with. */
export interface NewEvent {
  /** UUID. A repeated append with the same ids to the same stream answers the first result. */
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: JsonObject;
  readonly metadata: StoredMetadata;
}

export interface StoredEvent extends NewEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** The canonical JSON of data and metadata, if it is at hand: whoever wants it need not write it again. */
  readonly written?: WrittenEvent;
}

/** An event's JSON as `encodeAppend` makes it. */
export interface WrittenEvent {
  readonly data: string;
  readonly metadata: string;
}

/** An event as one text, which costs less to read than the event. */
export interface EventText {
  readonly position: Position;
  /**
   * JSON of the names data, id, metadata, revision, stream, type and version, in this order; data and metadata are the texts
   * that the engine keeps. So it is canonical JSON (RFC 8785) if they are. null: data or metadata could begin or end
   * elsewhere in it.
   */
  readonly text: string | null;
}

/** `new`: the stream must not exist; a number: its last event has exactly this revision; `any`: any state. */
export type ExpectedRevision = 'new' | 'any' | number;

export interface AppendResult {
  /** Revision of the last event appended. */
  readonly revision: number;
  readonly position: Position;
  /** True if the events had been appended before, so that this append wrote nothing; null if the engine cannot tell. */
  readonly isRepeat: boolean | null;
}

/** A filter of events: both conditions must hold; of each list, one entry must match. */
export interface EventFilter {
  readonly streamPrefixes?: readonly string[];
  readonly types?: readonly string[];
}

export interface ReadStreamOptions {
  /** First revision returned (inclusive). Default forwards: 0; backwards: the end of the stream. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** The position before the first event, exclusive. */
  readonly after: Position;
  readonly limit: number;
  readonly filter?: EventFilter;
}

/** Positions behind `after`, up to `until`. */
export interface PositionRange {
  readonly after: Position;
  readonly until: Position;
}

export interface Misfiled {
  readonly position: Position;
  readonly why: string;
}

export interface SubscribeOptions {
  readonly after: Position;
  readonly filter?: EventFilter;
  readonly signal: AbortSignal;
  /** Most events in one batch; default 500. */
  readonly batchSize?: number;
}

/**
 * Bytes of events with which a batch ends, about: a batch has fewer events than were asked for if they are large. So a
 * reader of the log needs a bounded memory.
 */
export const BATCH_BYTES = 8 * 1024 * 1024;

export interface Batch {
  /** Events in log order; empty if the filter left out everything since the last batch. */
  readonly events: readonly StoredEvent[];
  /** Position up to which everything was considered: a checkpoint for the work done on this batch. */
  readonly position: Position;
  /** True when nothing lay behind `position` at the moment of reading. */
  readonly caughtUp: boolean;
}

/**
 * The log. Each stream numbers its events from 0 without gaps; the whole log is ordered by position.
 *
 * Appends are atomic: all events of one append or none. Acknowledged events are on disk. An append that fails with
 * `EventStoreUnavailable` has an unknown outcome unless the error says `stored: 'no'`.
 *
 * Idempotency: event ids are remembered per stream. An append whose ids are all known in that stream, in the same order
 * and next to each other, writes nothing and answers the first result, whatever revision it expects. An append that
 * repeats only some of its ids is a `RevisionConflict`. `idMemory` says for how long the engine remembers ids. SQLite
 * remembers for ever.
 */
export interface EventStore {
  readonly idMemory: 'for ever' | 'bounded';

  /**
   * Appends events. An empty array is a TypeError, and so are data that JSON cannot hold or that are too large: over 1
   * MiB for an event, on EventStoreDB for the whole append.
   *
   * @throws RevisionConflict, EventStoreUnavailable, TypeError
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>;

  /** Reads events of a stream; none if it does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly StoredEvent[]>;

  /** Reads one page of the whole log, forwards, up to `BATCH_BYTES`. The result's `position`: start of the next page. */
  readAll(options: ReadAllOptions): Promise<Batch>;

  /**
   * Reads the events at the positions, as many as there are, in any order: sooner than from their streams. An engine that
   * finds no event by its position alone has no such method.
   */
  readAt?(positions: readonly Position[]): Promise<readonly StoredEvent[]>;

  /**
   * Reads the next events of the whole log as texts; none: the log ends. They may be fewer than the limit, as a bounded
   * memory needs it. An engine that keeps no texts has no such method.
   */
  readTexts?(options: Pick<ReadAllOptions, 'after' | 'limit'>): Promise<readonly EventText[]>;

  /**
   * Finds the first event behind `after`, up to `until`, that is filed so that a reading by stream or type misses it. An
   * engine that files events itself has no such method. @returns its position, and why it is missed; null: there is none
   */
  misfiled?(range: PositionRange): Promise<Misfiled | null>;

  /** Reads where the newest event of each type is. An engine that does not name types apart from events has no such method. */
  newestOfEachType?(): Promise<readonly Position[]>;

  /**
   * Catches up from a position, then follows the log. The next batch is read when it is pulled, up to `BATCH_BYTES`. The
   * first batch comes at once, empty if no event is behind the position. Events may be frozen. Ends without an error when
   * the signal aborts; throws EventStoreUnavailable when the engine goes away (resume from the last batch's position).
   */
  subscribe(options: SubscribeOptions): AsyncIterable<Batch>;

  /**
   * Position of the newest event, in memory, if only this process appends: nobody else knows of a newer one. null if
   * other processes append, too: ask for `head`.
   */
  readonly knownHead: Position | null;

  /** Reads the position of the newest event; START for an empty log. @throws LogReplaced, EventStoreUnavailable */
  head(): Promise<Position>;

  close(): Promise<void>;
}

export class RevisionConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the stream's last event; null if the stream does not exist. */
    readonly actual: number | null,
  ) {
    super(`stream ${stream} is at ${actual ?? 'no event'}, expected ${expected}`);
    this.name = 'RevisionConflict';
  }
}

export class EventStoreUnavailable extends Error {
  constructor(
    message: string,
    /** Tells whether the failed append was stored. */
    readonly stored: 'no' | 'unknown',
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EventStoreUnavailable';
  }
}

/** The log is another one: events that it held are missing. It takes no appends, and followers do not resume in it. */
export class LogReplaced extends EventStoreUnavailable {
  constructor() {
    super(
      'the log is not the one that the documents were made from: an older copy of it, or one that has gone another way',
      'no',
    );
    this.name = 'LogReplaced';
  }
}

/** The log cannot be opened: damaged, from a newer version, or held by another writer. The message says what to do. */
export class LogRefused extends Error {
  constructor(
    readonly reason: 'damaged' | 'newer-version' | 'locked',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'LogRefused';
  }
}

/** Nest token of the port. */
export const EVENT_STORE = Symbol('EventStore');

export function passes({ stream, type }: StoredEvent, filter: EventFilter | undefined): boolean {
  if (filter?.types && !filter.types.includes(type)) return false;
  return !filter?.streamPrefixes || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
}

/** Finds empty lists. An engine may take them for "everything". */
export function passesNothing(filter: EventFilter | undefined): boolean {
  return filter?.types?.length === 0 || filter?.streamPrefixes?.length === 0;
}

/** Where an event is. An event that cannot be read is named so: its id may be damaged, too. */
export const atRevision = ({ stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>): string =>
  `${stream}@${revision}`;

/** An event is damaged, or its content or address: nobody can tell what it says. It is named with its place and the reason. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly reason: string;

  constructor(
    readonly event: StoredEvent,
    reason: unknown,
    /** The event as `EventStore.readTexts` gives it, if its JSON is damaged. */
    readonly text?: string,
  ) {
    const why = reason instanceof Error ? reason.message : String(reason);
    const { type, id, position } = event;
    super(`${type} ${id} (${atRevision(event)}, position ${position}) cannot be read: ${why}`, { cause: reason });
    this.reason = why;
  }
}

/** Tells whether the log has this event at this place. @throws EventStoreUnavailable */
export async function isThere(
  eventStore: Pick<EventStore, 'readStream'>,
  { stream, revision, id, position }: EventPlace,
): Promise<boolean> {
  // Reads two events, so that the log answers rather than a memory of it.
  const [found] = await eventStore.readStream(stream, { from: revision, limit: 2 });
  return found?.id === id && found.position === position;
}
