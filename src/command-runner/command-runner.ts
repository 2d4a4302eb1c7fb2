import { setTimeout as pause } from 'node:timers/promises';
import type { ContentKeys } from '../content-keys/content-keys.js';
import { newContentKey } from '../content-keys/seal.js';
import type { EventCodec, SealingKey } from '../event-codec/event-codec.js';
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
  type StoredEvent,
} from '../event-store/event-store.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { Decide } from '../kernel/decider.js';
import { DomainError, UnavailableError } from '../kernel/domain-error.js';
import type { DomainEvent, EventMetadata, Recorded } from '../kernel/event.js';
import { newEventId } from '../kernel/new-event-id.js';
import type { Position } from '../kernel/position.js';
import { within } from '../kernel/within.js';
import { type Cause, FollowedEvents } from './followed-events.js';
import { KeysInReserve } from './keys-in-reserve.js';
import { StreamLocks } from './stream-locks.js';
import { type DecidedStream, StreamStates } from './stream-states.js';

const MAX_ATTEMPTS = 10;
const APPEND_ATTEMPTS = 5;
/** Before clients, and proxies in front, give up: who repeats under a key is then told what became of it. */
const LONGEST_APPEND_MS = 30_000;
const KEY_ATTEMPTS = 5;
const PAUSE_MS = 20;

export type DecisionRequest<Command, State, Event extends DomainEvent, Context> = Deciding<
  Command,
  State,
  Event,
  Context
> &
  /** Time, ids and facts about other streams (D1, D4). */
  (
    | { readonly context: Context }
    /** Facts that must be no older than the state: worked out anew for each attempt, given what the state is as of. */
    | { readonly contextAsOf: (position: Position) => Promise<Context> }
  );

interface Deciding<Command, State, Event extends DomainEvent, Context> extends DecidedStream<State, Event> {
  readonly decide: Decide<Command, State, Event, Context>;
  readonly command: Command;
  readonly by: CommandContext;
  /** Where the events hold words that belong to others there are: they are sealed under the key of those (D7). */
  readonly sealedWith?: {
    /** Names the key. */
    readonly keyId: (state: State) => string;
    /** Refuses where the key has been destroyed: a new one would bring the words of a deleted message back. */
    readonly whenGone: () => never;
  };
  /** Where each event has words of its own: its id, chosen beforehand, which names the key that they are sealed under (D7). */
  readonly sealedAlone?: (event: Event) => string | undefined;
  /** Where the events follow from another (D17). */
  readonly cause?: Cause<Event>;
}

export interface Outcome<Event extends DomainEvent> {
  /** Empty where there was nothing to do. */
  readonly events: readonly Event[];
  /** Of the last event appended; where nothing was, the newest of the stream that was decided on. */
  readonly position: Position;
}

/** Takes a command to its events: load, decide, append, and again on a conflict (D4). */
export class CommandRunner {
  private readonly states: StreamStates;
  private readonly locks = new StreamLocks();
  private readonly followedEvents: FollowedEvents;

  constructor(
    private readonly eventStore: EventStore,
    private readonly contentKeys: ContentKeys,
    private readonly codec: EventCodec,
    private readonly now: () => number = Date.now,
    private readonly longestAppend = LONGEST_APPEND_MS,
  ) {
    this.states = new StreamStates(eventStore, codec);
    this.followedEvents = new FollowedEvents(eventStore, codec);
  }

  /**
   * For streams that protect an invariant: appends with the revision that was decided on.
   *
   * @throws DomainError what `decide` refused; UnavailableError after losing the race too often
   */
  async decide<Command, State, Event extends DomainEvent, Context>(
    request: DecisionRequest<Command, State, Event, Context>,
  ): Promise<Outcome<Event>> {
    const keys = new KeysInReserve(this.contentKeys);
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

  /** Whether the command would be refused now, by the newest state. @throws DomainError what `decide` refuses */
  async check<Command, State, Event extends DomainEvent, Context>(
    request: DecisionRequest<Command, State, Event, Context>,
  ): Promise<void> {
    await this.states.refresh(request);
    const { state, position } = await this.states.load(request);
    request.decide(request.command, state, await contextOf(request, position));
  }

  /** For reports of facts (D4): appended whatever the stream holds. The words of the event are sealed under `sealing`. */
  async report(
    stream: string,
    event: DomainEvent,
    by: CommandContext,
    options: {
      readonly id?: string;
      readonly sealing?: SealingKey;
      /** Where it is certain that nothing was stored: takes back what was made ready for the event. */
      readonly undo?: () => Promise<void>;
    } = {},
  ): Promise<AppendResult> {
    const id = options.id ?? newEventId();
    const encoded = this.codec.encode(event, id, this.metadata(by, null), options.sealing);
    try {
      return await this.append(stream, [encoded], 'any');
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable && error.stored === 'unknown')) await options.undo?.();
      throw error;
    }
  }

  /** What a stream comes to now, for what is said of it elsewhere: nothing may be decided on it. */
  async stateOf<State, Event extends DomainEvent>(of: DecidedStream<State, Event>): Promise<State> {
    await this.states.refresh(of);
    return (await this.states.load(of)).state;
  }

  /**
   * A fact that follows from another event (D17), with words of its own where it has any: under an id derived from that
   * event's, and appended once, whatever dies in between. Where the engine forgets ids, it is looked for in the log first.
   */
  async reportFollowing(
    stream: string,
    event: DomainEvent,
    by: CommandContext,
    { id, cause, hasWords }: { readonly id: string; readonly cause: Recorded; readonly hasWords: boolean },
  ): Promise<Pick<AppendResult, 'revision' | 'position'>> {
    // Words of its own may be gone since: their key must not come back for a repeat.
    const found = await this.followedEvents.firstOf([id], stream, cause.position, hasWords);
    if (found) return found;
    const sealing = hasWords ? await this.sealingKey(id) : undefined;
    const encoded = this.codec.encode(event, id, this.metadata(by, cause.id), sealing);
    return this.append(stream, [encoded], 'any');
  }

  /** Facts that follow from another event, without words: all of them in one append, or none. */
  async reportAllFollowing(
    stream: string,
    events: readonly DomainEvent[],
    by: CommandContext,
    { ids, cause }: { readonly ids: readonly string[]; readonly cause: Recorded },
  ): Promise<Pick<AppendResult, 'revision' | 'position'>> {
    const metadata = this.metadata(by, cause.id);
    const encoded = events.map((event, index) => this.codec.encode(event, ids[index] ?? newEventId(), metadata));
    return this.append(stream, encoded, 'any');
  }

  /** What streams that begin so have had since an event, in the order of the log. */
  eventsSince<Event extends DomainEvent>(
    event: Pick<Recorded, 'position'>,
    streamPrefix: string,
  ): AsyncGenerator<Recorded<Event>, void> {
    return this.followedEvents.eventsSince(event, streamPrefix);
  }

  /** Which of some events has followed from another already, in streams that begin so: the first. */
  firstFollowed(cause: Recorded, ids: readonly string[], streamPrefix: string): Promise<StoredEvent | undefined> {
    return this.followedEvents.find(ids, streamPrefix, cause.position);
  }

  /** A durable key for the words of the event with this id; `inserted` false where an earlier attempt left one (D7). */
  async sealingKey(eventId: string): Promise<SealingKey & { readonly inserted: boolean }> {
    const { key, inserted } = await this.contentKeys.putIfAbsent(eventId, newContentKey());
    return { keyId: eventId, key, inserted };
  }

  /** When it resolves, nobody can read what was sealed under the keys, and no file of the keys has their bytes. */
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
    keys: KeysInReserve,
    isAgain: boolean,
  ): Promise<Outcome<Event>> {
    const { stream, decide, command, by, cause, sealedAlone } = request;
    // 1. The state, as far as this process has seen it.
    const { state, revision, position, fresh } = await this.states.load(request);

    // 2. The decision. A refusal or "nothing to do" stands only on a state that is known to be the newest.
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

    // 3. The key of the words: that of earlier ones, where they belong to those, or one for each.
    const sealing = await this.existingKey(request, state);
    const own = await Promise.all(events.map((event) => keys.putIfAbsent(sealedAlone?.(event))));

    // 4. Append, at the revision decided on.
    const metadata = this.metadata(by, cause?.eventId ?? null);
    const encoded = events.map((event, index) =>
      this.codec.encode(event, own[index]?.keyId ?? due?.ids[index] ?? newEventId(), metadata, own[index] ?? sealing),
    );
    const expected: ExpectedRevision = revision === null ? 'new' : revision;
    const result = await this.append(stream, encoded, expected);
    keys.used(own);

    // 5. The state of the next command.
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
            metadata,
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

  /**
   * An append that fails may have been stored. Under the same event ids it is asked for again until its outcome is
   * known, as long as a request may wait for that: a repeat answers the first result.
   *
   * @throws EventStoreUnavailable with `stored: 'no'`, or still 'unknown' when the engine stays away
   */
  private async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const deadline = performance.now() + this.longestAppend;
    const late = (): Error => new EventStoreUnavailable(`${stream}: no answer from the log in time`, 'unknown');
    let outcome: EventStoreUnavailable | null = null;
    for (let attempt = 1; ; attempt++) {
      try {
        const appending = this.eventStore.append(stream, events, expected);
        // The first attempt has the engine's own bound, and costs no timer.
        return await (attempt === 1 ? appending : within(appending, deadline - performance.now(), late));
      } catch (error) {
        if (!(error instanceof EventStoreUnavailable)) throw error;
        // That this attempt was not stored says nothing of the ones before it.
        if (error.stored === 'unknown') outcome = error;
        if (outcome === null || attempt === APPEND_ATTEMPTS) throw outcome ?? error;
        const breath = PAUSE_MS * 2 ** attempt;
        if (performance.now() + breath >= deadline) throw outcome;
        await pause(breath);
      }
    }
  }

  private metadata(by: CommandContext, causationId: string | null): EventMetadata {
    return {
      actorId: by.actorId,
      client: by.client,
      at: this.now(),
      correlationId: by.correlationId,
      causationId,
    };
  }
}

async function contextOf<Command, State, Event extends DomainEvent, Context>(
  request: DecisionRequest<Command, State, Event, Context>,
  position: Position,
): Promise<Context> {
  return 'contextAsOf' in request ? request.contextAsOf(position) : request.context;
}
