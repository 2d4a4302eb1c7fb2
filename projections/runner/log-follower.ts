import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Deferred } from '../../src/platform/kernel/deferred.js';
import { type EventPlace, placeOf } from '../../src/platform/kernel/event.js';
import { GatheredLines, gatheredText } from '../../src/platform/kernel/gathered-lines.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { EventCodec } from '../../src/platform/log/event-codec.js';
import type { Batch, EventStore } from '../../src/platform/log/event-store.js';
import { followLog } from '../../src/platform/log/follow-log.js';
import { Attempts, type Stall } from './attempts.js';
import { type DecodedBatch, decodeBatch, isTransient } from './decode-batch.js';
import type { Generation } from './generation.js';

/** Hears of the progress and failure of a generation that follows the log. */
interface MemberListener {
  /** The generation has applied another batch. */
  advanced(): void;
  /** The generation cannot go on, and follows the log no more. */
  failed(error: unknown): void;
  /** The generation fails again and again at its position, and is tried again; null: it goes on. */
  stalled(stall: Stall | null): void;
}

interface Member extends MemberListener {
  readonly generation: Generation;
  /** The shared subscription feeds it; otherwise it catches up on its own. */
  attached: boolean;
  /** Aborts when the generation leaves, or all stop. */
  readonly signal: AbortSignal;
  readonly leaving: AbortController;
  /** The batch or catch-up under way. */
  work: Promise<void>;
  readonly joined: Deferred<void>;
}

interface LogFollowerOptions {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  /** Event types that any projection handles. */
  readonly types: readonly string[];
  readonly after: Position;
  /** The log's head at the start. */
  readonly head: Position;
  readonly checkpointInterval: number;
  /** Set if events may gather after a batch, to be applied together: with fewer transactions. */
  readonly gathering?: {
    /** Milliseconds that they gather, unless somebody waits for them. */
    readonly longest: number;
    readonly isAwaited: () => boolean;
  };
}

/** A generation that takes longer for a batch goes on alone: ms. The others wait no longer. */
const PATIENCE = 1000;

/** Events in a batch, few enough to serve requests between two batches of a long catch-up. */
const BATCH = 128;

const EMPTY: DecodedBatch = { events: [], undecodable: [] };

/**
 * Feeds every generation from one subscription to the log, decoding each event once. A generation that is behind, or
 * interrupted by its store, catches up on its own and then joins the others. A failed generation is dropped.
 */
export class LogFollower {
  private readonly log = new Logger('Projections');
  private readonly interruptions = new GatheredLines();
  private readonly members = new Map<Generation, Member>();
  private readonly stopping = new AbortController();
  /** Events up to this position have been handed to all attached members. */
  private position: Position;
  /** The last event handed out. */
  private newest: EventPlace | undefined;
  private reachedHead: boolean;
  private readonly following: Promise<void>;
  private checkpointTimer: NodeJS.Timeout | undefined;
  /** Ends the time in which events gather. */
  private endGathering: (() => void) | null = null;

  constructor(private readonly options: LogFollowerOptions) {
    this.position = options.after;
    this.reachedHead = options.after >= options.head;
    this.following = followLog(options.eventStore, {
      after: () => this.position,
      filter: { types: options.types },
      batchSize: BATCH,
      signal: this.stopping.signal,
      deliver: (batch) => this.deliver(batch),
      interrupted: (error) => {
        this.reachedHead = false;
        this.log.error(`the log cannot be followed, trying again: ${messageOf(error)}`);
      },
    });
  }

  /** The generation has applied all events that were in the log a moment ago. */
  isAtHead(generation: Generation): boolean {
    return this.reachedHead && (this.members.get(generation)?.attached ?? false);
  }

  /** Resolves once the generation has caught up. Rejects if it fails or leaves before. */
  join(generation: Generation, listener: MemberListener): Promise<void> {
    const joined = new Deferred<void>();
    const leaving = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, leaving.signal]);
    generation.stopWith(signal);
    // The listener hears of a failure, too.
    joined.promise.catch(() => {});
    const member: Member = {
      generation,
      advanced: listener.advanced.bind(listener),
      failed: listener.failed.bind(listener),
      stalled: listener.stalled.bind(listener),
      attached: false,
      signal,
      leaving,
      work: Promise.resolve(),
      joined,
    };
    this.members.set(generation, member);
    member.work = this.catchUp(member);
    return joined.promise;
  }

  /** Resolves when no more events will be applied to the generation. */
  async release(generation: Generation): Promise<void> {
    const member = this.members.get(generation);
    if (!member) return;
    this.remove(member, new Error('left'));
    await member.work;
  }

  /** Resolves when the batch under way is applied. @throws Error if the generation no longer follows the log */
  async settled(generation: Generation): Promise<void> {
    const member = this.members.get(generation);
    if (!member) throw new Error(`${generation.name} no longer follows the log`);
    await member.work;
  }

  /** Finishes the batch under way and stores all checkpoints. */
  async close(): Promise<void> {
    this.stopping.abort();
    this.hurry();
    clearTimeout(this.checkpointTimer);
    await this.following;
    const members = [...this.members.values()];
    await Promise.all(members.map((member) => member.work));
    await this.storeCheckpoints();
    for (const member of members) this.remove(member, new Error('closed'));
    this.interruptions.flush();
  }

  private async deliver(batch: Batch): Promise<void> {
    const decoded =
      batch.events.length > 0 && this.attached().length > 0
        ? await decodeBatch(this.options.codec, batch.events)
        : EMPTY;
    this.position = batch.position;
    const last = batch.events.at(-1);
    if (last) this.newest = placeOf(last);
    const attached = this.attached();
    await this.applyToAll(attached, decoded, batch.position);
    this.reachedHead ||= batch.caughtUp;
    this.scheduleCheckpoints();
    if (!batch.caughtUp) await setImmediate();
    else if (last) await this.gather();
  }

  /** Somebody waits for events: they are applied as soon as they come. */
  hurry(): void {
    this.endGathering?.();
  }

  private async gather(): Promise<void> {
    const { gathering } = this.options;
    if (!gathering || gathering.isAwaited() || this.stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gathering.longest);
      this.endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endGathering = null;
  }

  /** Resolves when each member has applied the batch, or goes on alone. */
  private async applyToAll(members: readonly Member[], batch: DecodedBatch, upTo: Position): Promise<void> {
    const busy = new Set(members);
    const applied = members.map(async (member) => {
      const failure = await this.apply(member, batch, upTo);
      busy.delete(member);
      return failure;
    });
    members.forEach((member, at) => {
      member.work = Promise.resolve(applied[at]).then((failure) =>
        member.attached ? undefined : this.catchUp(member, failure),
      );
    });
    await endOrTimeout(Promise.all(applied), PATIENCE);
    for (const member of busy) member.attached = false;
  }

  /** @returns the failure that has interrupted the generation, if any */
  private async apply(member: Member, batch: DecodedBatch, upTo: Position): Promise<unknown> {
    try {
      await member.generation.apply(batch, upTo);
      member.advanced();
    } catch (error) {
      member.attached = false;
      if (member.signal.aborted) return undefined;
      if (isTransient(error)) {
        this.warn(member, error);
        return error;
      }
      this.fail(member, error);
    }
    return undefined;
  }

  /** @param failure the failure that interrupted the generation; absent: it is only behind */
  private async catchUp(member: Member, failure?: unknown): Promise<void> {
    const { generation } = member;
    const attempts = new Attempts({ onStall: (stall) => this.stalled(member, stall) });
    let failed = failure;
    let { headway } = generation;
    while (!member.signal.aborted) {
      try {
        if (failed !== undefined) {
          if (generation.headway > headway) attempts.succeeded();
          headway = generation.headway;
          await attempts.failed(failed, member.signal);
          if (member.signal.aborted) return;
          await generation.recover();
          failed = undefined;
        }
        if (generation.position >= this.position) {
          attempts.succeeded();
          member.attached = true;
          member.joined.resolve();
          return;
        }
        await this.applyNextPage(member);
        attempts.succeeded();
        await setImmediate();
      } catch (error) {
        if (member.signal.aborted) return;
        if (!isTransient(error)) return this.fail(member, error);
        failed = error;
      }
    }
  }

  private stalled(member: Member, stall: Stall | null): void {
    const { name } = member.generation.projection;
    if (stall)
      this.log.error(`${name} makes no headway after position ${member.generation.position}: ${stall.message}`);
    else this.log.log(`${name} goes on`);
    member.stalled(stall);
  }

  private async applyNextPage({ generation, advanced }: Member): Promise<void> {
    const { position: behind, newest } = this;
    const page = await this.options.eventStore.readAll({
      after: generation.position,
      limit: BATCH,
      filter: { types: generation.types },
    });
    // Ends before the page's end: only the subscription knows events of other types there, and checkpoints name them.
    const upTo = page.caughtUp ? Math.max(page.events.at(-1)?.position ?? behind, behind) : page.position;
    await generation.apply(await decodeBatch(this.options.codec, page.events), upTo, newest);
    advanced();
    this.scheduleCheckpoints();
  }

  private attached(): Member[] {
    return [...this.members.values()].filter((member) => member.attached);
  }

  private fail(member: Member, error: unknown): void {
    this.remove(member, error);
    member.failed(error);
  }

  private remove(member: Member, reason: unknown): void {
    member.leaving.abort();
    member.attached = false;
    this.members.delete(member.generation);
    member.joined.reject(reason);
  }

  private scheduleCheckpoints(): void {
    if (this.checkpointTimer || this.stopping.signal.aborted) return;
    if (![...this.members.keys()].some((generation) => generation.isAheadOfCheckpoint)) return;
    this.checkpointTimer = setTimeout(() => {
      this.checkpointTimer = undefined;
      void this.storeCheckpoints().then(() => this.scheduleCheckpoints());
    }, this.options.checkpointInterval).unref();
  }

  /**
   * Stores them at the same moment: engines with a transaction for all databases need one. Goes on after a failure: a
   * lost checkpoint costs only a little reading at the next start.
   */
  private async storeCheckpoints(): Promise<void> {
    const store = (member: Member): Promise<void> =>
      member.generation.storeCheckpoint().catch((error: unknown) => this.warn(member, error));
    await Promise.all([...this.members.values()].map(store));
  }

  /** A store that is away interrupts all projections, again and again. The first line names one; health names all. */
  private warn({ generation }: Member, error: unknown): void {
    const line = `${generation.projection.name} is interrupted, trying again: ${messageOf(error)}`;
    this.interruptions.add(error instanceof Error ? error.name : '', (repeats) =>
      this.log.warn(gatheredText(line, repeats)),
    );
  }
}

async function endOrTimeout(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
