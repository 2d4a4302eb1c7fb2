import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import type { ContentKey, ContentKeys } from '../content-keys/content-keys.js';
import { newContentKey } from '../content-keys/seal.js';
import { type EndedContent, makesKey, ownKeyId } from '../kernel/content-duties.js';
import { type CommandContext, DomainError } from '../kernel/deciding.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import { newEventId } from '../kernel/ids.js';
import { UnavailableError } from '../kernel/outcome-errors.js';
import type { Position } from '../kernel/position.js';
import { type EventCause, type EventCodec, type SealingKey, withoutAddress } from '../log/event-codec.js';
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
  type StoredEvent,
} from '../log/event-store.js';
import { AddressSealer } from './address-sealer.js';
import { appendUntilKnown } from './append-until-known.js';
import type { DecisionRequest, Outcome } from './decision-request.js';
import { FollowedEvents } from './followed-events.js';
import { MonthKeys } from './month-keys.js';
import { ProvisionalKeys } from './provisional-keys.js';
import { StreamLocks } from './stream-locks.js';
import { type Expectation, type FoldedStream, StreamStates } from './stream-states.js';

const MAX_ATTEMPTS = 10;
/** Shorter than clients and proxies wait. A repeat under the same key gets the outcome. */
const LONGEST_APPEND_MS = 30_000;
const KEY_ATTEMPTS = 5;
const PAUSE_MS = 20;

export interface RunnerSettings {
  /** Server clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** Longest time that an append is repeated, milliseconds. */
  readonly longestAppend?: number;
  /** Whether events have the addresses of their requests, sealed. Default true. */
  readonly keepsAddresses?: boolean;
  /** Id of the event with which keys were given up last. Absent: none were. */
  readonly keysSince?: string | null;
}

/** Takes a command to its events: loads, decides, appends, and repeats this after a conflict (D4). */
export class CommandRunner {
  private readonly states: StreamStates;
  private readonly locks = new StreamLocks();
  private readonly followedEvents: FollowedEvents;
  private readonly now: () => number;
  private readonly longestAppend: number;
  readonly monthKeys: MonthKeys;
  /** Null if no addresses are kept. */
  private readonly addresses: AddressSealer | null;

  constructor(
    private readonly eventStore: EventStore,
    private readonly contentKeys: ContentKeys,
    private readonly codec: EventCodec,
    { now = Date.now, longestAppend = LONGEST_APPEND_MS, keepsAddresses = true, keysSince = null }: RunnerSettings = {},
  ) {
    this.now = now;
    this.longestAppend = longestAppend;
    this.monthKeys = new MonthKeys(contentKeys, keysSince);
    this.addresses = keepsAddresses ? new AddressSealer(this.monthKeys) : null;
    this.states = new StreamStates(eventStore, codec);
    this.followedEvents = new FollowedEvents(eventStore, codec);
  }

  /**
   * Decides on a stream that protects an invariant, and appends at the revision that was decided on.
   *
   * @throws DomainError if `decide` refuses; UnavailableError after too many conflicts
   */
  async decide<Command, State, Event extends DomainEvent, Context>(
    request: DecisionRequest<Command, State, Event, Context>,
  ): Promise<Outcome<Event>> {
    const keys = new ProvisionalKeys(this.contentKeys);
    return keys.destroyingUnused(() =>
      this.locks.hold(request.stream, async () => {
        for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
          try {
            return await this.attempt(request, keys, attempt > 1);
          } catch (error) {
            if (!(error instanceof RevisionConflict)) throw error;
            await this.states.refresh(request);
          }
        }
        throw new UnavailableError(`${request.stream} changed ${MAX_ATTEMPTS} times while a command was decided`);
      }),
    );
  }

  /** The events that the newest state gives; appends nothing. @throws DomainError if `decide` refuses */
  async check<Command, State, Event extends DomainEvent, Context>(
    request: DecisionRequest<Command, State, Event, Context>,
  ): Promise<readonly Event[]> {
    await this.states.refresh(request);
    const { state, position } = await this.states.load(request);
    return request.decide(request.command, state, await contextOf(request, position));
  }

  /** Appends a fact to a stream in any state (D4). The event's content is sealed under `sealing`. */
  async report(
    stream: string,
    event: DomainEvent,
    by: CommandContext,
    options: {
      readonly id?: string;
      readonly sealing?: SealingKey;
      /** Called if certainly nothing was stored: takes back the preparations for the event. */
      readonly undo?: () => Promise<void>;
    } = {},
  ): Promise<AppendResult> {
    const id = options.id ?? newEventId();
    const encoded = this.codec.encode(event, id, await this.cause(by, null), options.sealing);
    try {
      return await this.append(stream, [encoded], 'any');
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable && error.stored === 'unknown')) await options.undo?.();
      throw error;
    }
  }

  /**
   * Appends a fact whose content is sealed under a new key, which is written meanwhile. The append comes after the key.
   *
   * @param event gets the key
   * @returns null: the id had a key already, and nothing is appended
   */
  async reportUnderNewKey(
    stream: string,
    event: (key: ContentKey) => DomainEvent,
    by: CommandContext,
    id: string,
  ): Promise<AppendResult | null> {
    const key = newContentKey();
    const [{ inserted }, encoded] = await Promise.all([
      this.contentKeys.putIfAbsent(id, key),
      // The keys of this turn of the event loop leave in its end, before the first of these is sealed.
      setImmediate().then(async () =>
        this.codec.encode(event(key), id, await this.cause(by, null), { keyId: id, key }),
      ),
    ]);
    return inserted ? this.append(stream, [encoded], 'any') : null;
  }

  /** Reads a stream's newest state, to mention it elsewhere. No decision may rest on it. */
  async stateOf<State, Event extends DomainEvent>(of: FoldedStream<State, Event>): Promise<State> {
    await this.states.refresh(of);
    return (await this.states.load(of)).state;
  }

  /**
   * Appends a fact that follows from another event (D17), once, even if the process ends in between: its id is derived
   * from that event's. If the engine forgets ids, the log is searched first.
   */
  async reportFollowing(
    stream: string,
    event: DomainEvent,
    by: CommandContext,
    { id, cause }: { readonly id: string; readonly cause: Recorded },
  ): Promise<Pick<AppendResult, 'revision' | 'position'>> {
    const hasContent = makesKey(this.codec.definitionOf(event.type));
    // The content may have been erased since: a repeat must not bring the key back.
    const found = await this.followedEvents.firstOf([id], stream, cause.position, hasContent);
    if (found) return found;
    const sealing = hasContent ? await this.sealingKey(id) : undefined;
    const encoded = this.codec.encode(event, id, await this.cause(by, cause.id), sealing);
    return this.append(stream, [encoded], 'any');
  }

  /** Appends facts without content that follow from another event: all in one append, or none. */
  async reportAllFollowing(
    stream: string,
    events: readonly DomainEvent[],
    by: CommandContext,
    { ids, cause }: { readonly ids: readonly string[]; readonly cause: Recorded },
  ): Promise<Pick<AppendResult, 'revision' | 'position'>> {
    const caused = await this.cause(by, cause.id);
    const encoded = events.map((event, index) => this.codec.encode(event, ids[index] ?? newEventId(), caused));
    return this.append(stream, encoded, 'any');
  }

  /** Reads the events since an event in the streams with a prefix, in log order. */
  eventsSince<Event extends DomainEvent>(
    event: Pick<Recorded, 'position'>,
    streamPrefix: string,
  ): AsyncGenerator<Recorded<Event>, void> {
    return this.followedEvents.eventsSince(event, streamPrefix);
  }

  /** Finds the first of these events that is stored already, among those after its cause in the streams with a prefix. */
  firstFollowed(cause: Recorded, ids: readonly string[], streamPrefix: string): Promise<StoredEvent | undefined> {
    return this.followedEvents.find(ids, streamPrefix, cause.position);
  }

  /** Stores a key for the content of the event with this id; `inserted` is false if the id had a key (D7). */
  async sealingKey(eventId: string): Promise<SealingKey & { readonly inserted: boolean }> {
    const { key, inserted } = await this.contentKeys.putIfAbsent(eventId, newContentKey());
    return { keyId: eventId, key, inserted };
  }

  /** Tells which keys and files go with the content that the events erase. */
  endedBy(events: readonly DomainEvent[]): EndedContent {
    return this.codec.endedBy(events);
  }

  /** When it resolves, nobody can read content that was sealed under the keys, and no file has the keys' bytes. */
  async destroyKeys(keyIds: readonly string[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.contentKeys.destroy(keyIds);
      } catch (error) {
        if (attempt === KEY_ATTEMPTS) throw error;
        await pause(PAUSE_MS * 2 ** attempt);
      }
    }
  }

  private async attempt<Command, State, Event extends DomainEvent, Context>(
    request: DecisionRequest<Command, State, Event, Context>,
    keys: ProvisionalKeys,
    isAgain: boolean,
  ): Promise<Outcome<Event>> {
    const { stream, decide, command, by, cause } = request;
    // 1. Load the state, as far as this process has seen it.
    const { state, revision, position, fresh } = await this.states.load(request);
    if (!isExpected(request.expects, revision)) {
      if (!fresh && (await this.states.refresh(request))) return this.attempt(request, keys, isAgain);
      throw new UnavailableError(`${stream}: ${revision === null ? 'has not begun yet' : 'has begun already'}`);
    }

    // 2. Decide. A refusal or "nothing to do" stands only on a state that is known to be the newest.
    let decided: readonly Event[];
    try {
      decided = decide(command, state, await contextOf(request, position));
    } catch (error) {
      if (error instanceof DomainError && !fresh && (await this.states.refresh(request)))
        return this.attempt(request, keys, isAgain);
      throw error;
    }
    if (decided.length === 0) {
      if (!fresh && (await this.states.refresh(request))) return this.attempt(request, keys, isAgain);
      return { events: [], position };
    }
    const due = cause && (await this.followedEvents.due(decided, stream, cause, isAgain));
    if (due?.events.length === 0) return { events: [], position: due.position };
    const events = due?.events ?? decided;

    // 3. Get the key of the content: an existing one, or a new one for each event that makes its own.
    const sealing = await this.existingKey(request, state);
    const ownIds = events.map((event) => ownKeyId(this.codec.definitionOf(event.type), event));
    const causing = this.cause(by, cause?.eventId ?? null);
    const [caused, ...own] = await Promise.all([causing, ...ownIds.map((id) => keys.putIfAbsent(id))]);

    // 4. Append at the revision decided on.
    const encoded = events.map((event, index) =>
      this.codec.encode(event, own[index]?.keyId ?? due?.ids[index] ?? newEventId(), caused, own[index] ?? sealing),
    );
    const expected: ExpectedRevision = revision === null ? 'new' : revision;
    const result = await this.append(stream, encoded, expected);
    keys.used(own);

    // 5. Keep the state for the next command.
    const firstRevision = result.revision - events.length + 1;
    if (firstRevision === (revision === null ? 0 : revision + 1)) {
      const recorded = events.map(
        (event, index) =>
          ({
            ...event,
            id: encoded[index]?.id,
            stream,
            revision: firstRevision + index,
            position: result.position,
            metadata: withoutAddress(encoded[index]?.metadata ?? caused),
          }) as Recorded<Event>,
      );
      this.states.advance(request, { state, revision, position }, recorded);
    }
    return { events, position: result.position };
  }

  private async existingKey<Command, State, Event extends DomainEvent, Context>(
    { sealedWith }: DecisionRequest<Command, State, Event, Context>,
    state: State,
  ): Promise<SealingKey | undefined> {
    if (!sealedWith) return undefined;
    const keyId = sealedWith.keyId(state);
    const key = (await this.contentKeys.getMany([keyId])).get(keyId) ?? sealedWith.whenGone();
    return { keyId, key };
  }

  private append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    return appendUntilKnown(this.eventStore, this.longestAppend, stream, events, expected);
  }

  private async cause(by: CommandContext, causationId: string | null): Promise<EventCause> {
    const { actorId, client, correlationId, operator } = by;
    const at = this.now();
    const cause = { actorId, client, at, correlationId, causationId, ...(operator !== undefined && { operator }) };
    if (by.address === undefined || !this.addresses) return cause;
    return { ...cause, address: await this.addresses.sealed(by.address, actorId, at) };
  }
}

function isExpected(expects: Expectation, revision: number | null): boolean {
  return expects === 'any' || (expects === 'new') === (revision === null);
}

async function contextOf<Command, State, Event extends DomainEvent, Context>(
  request: DecisionRequest<Command, State, Event, Context>,
  position: Position,
): Promise<Context> {
  return 'contextAsOf' in request ? request.contextAsOf(position) : request.context;
}
