import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { EventCodec } from '../../src/event-codec/event-codec.js';
import type { Batch, EventStore } from '../../src/event-store/event-store.js';
import { followLog } from '../../src/event-store/follow-log.js';
import { BackOff } from '../../src/kernel/back-off.js';
import { type EventPlace, placeOf } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import { type DecodedBatch, decodeBatch, isPassing } from './decode-batch.js';
import type { Generation } from './generation.js';

/** What becomes of a generation that follows the log. */
export interface Fate {
  /** It has applied another batch. */
  advanced(): void;
  /** It has been dropped: it cannot go on. */
  failed(error: unknown): void;
}

interface Member extends Fate {
  readonly generation: Generation;
  /** Fed by the shared subscription; otherwise it is catching up on its own. */
  attached: boolean;
  left: boolean;
  /** What is being done for it at the moment. */
  work: Promise<void>;
  readonly joined: PromiseWithResolvers;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface LogFollowerOptions {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  /** Event types that any projection handles. */
  readonly types: readonly string[];
  readonly after: Position;
  /** The end of the log when it was last looked at: reached means caught up. */
  readonly head: Position;
  readonly checkpointInterval: number;
}

/** Small enough that requests are served between two batches of a long catch-up. */
const BATCH = 128;

const EMPTY: DecodedBatch = { events: [], undecodable: [] };

/**
 * One subscription to the log that feeds every generation; each event is decoded once. A generation that is behind, or
 * that its store has interrupted, catches up on its own and then joins the others; one that fails is dropped.
 */
export class LogFollower {
  private readonly log = new Logger('Projections');
  private readonly members = new Map<Generation, Member>();
  private readonly stopping = new AbortController();
  /** What has been handed to every attached member. */
  private position: Position;
  /** The last event of that, once there has been one. */
  private newest: EventPlace | undefined;
  private reachedHead: boolean;
  private readonly following: Promise<void>;
  private checkpointTimer: NodeJS.Timeout | undefined;

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

  /** Everything that was in the log a moment ago has been applied by this member. */
  isAtHead(generation: Generation): boolean {
    return this.reachedHead && (this.members.get(generation)?.attached ?? false);
  }

  /** Resolves once it has caught up; rejects where it fails or leaves before. */
  join(generation: Generation, fate: Fate): Promise<void> {
    const joined = withResolvers();
    const member: Member = {
      generation,
      advanced: fate.advanced.bind(fate),
      failed: fate.failed.bind(fate),
      attached: false,
      left: false,
      work: Promise.resolve(),
      joined,
    };
    this.members.set(generation, member);
    member.work = this.catchUp(member, false);
    return joined.promise;
  }

  /** Resolves when nothing more will be applied to it. */
  async leave(generation: Generation): Promise<void> {
    const member = this.members.get(generation);
    if (!member) return;
    this.remove(member, new Error('left'));
    await member.work;
  }

  /** Resolves when what is being applied to it at the moment has been. @throws where it is followed no more */
  async settled(generation: Generation): Promise<void> {
    const member = this.members.get(generation);
    if (!member) throw new Error(`${generation.name} no longer follows the log`);
    await member.work;
  }

  /** Finishes the batch at hand and stores how far everyone is. */
  async close(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.checkpointTimer);
    await this.following;
    const members = [...this.members.values()];
    await Promise.all(members.map((member) => member.work));
    await this.storeCheckpoints();
    for (const member of members) this.remove(member, new Error('closed'));
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
    for (const member of attached) member.work = this.apply(member, decoded, batch.position);
    await Promise.all(attached.map((member) => member.work));
    this.reachedHead ||= batch.caughtUp;
    this.scheduleCheckpoints();
    if (!batch.caughtUp) await setImmediate();
  }

  private async apply(member: Member, batch: DecodedBatch, upTo: Position): Promise<void> {
    try {
      await member.generation.apply(batch, upTo);
      member.advanced();
    } catch (error) {
      if (!isPassing(error)) return this.fail(member, error);
      this.warn(member, error);
      member.attached = false;
      member.work = this.catchUp(member, true);
    }
  }

  private async catchUp(member: Member, interrupted: boolean): Promise<void> {
    const { generation } = member;
    const backOff = new BackOff();
    let recovering = interrupted;
    while (!member.left && !this.stopping.signal.aborted) {
      try {
        if (recovering) {
          await backOff.wait(this.stopping.signal);
          await generation.recover();
          recovering = false;
        }
        if (generation.position >= this.position) {
          member.attached = true;
          member.joined.resolve();
          return;
        }
        await this.applyNextPage(member);
        backOff.reset();
        await setImmediate();
      } catch (error) {
        if (!isPassing(error)) return this.fail(member, error);
        this.warn(member, error);
        recovering = true;
      }
    }
  }

  private async applyNextPage({ generation, advanced }: Member): Promise<void> {
    const { position: behind, newest } = this;
    const page = await this.options.eventStore.readAll({
      after: generation.position,
      limit: BATCH,
      filter: { types: generation.types },
    });
    // Not as far as the page looked: which events of other types lie there, the subscription tells, and checkpoints name.
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
    member.left = true;
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

  /** Losing one costs a little reading at the next start: never a reason to stop. */
  private async storeCheckpoints(): Promise<void> {
    for (const member of this.members.values()) {
      await member.generation.storeCheckpoint().catch((error: unknown) => this.warn(member, error));
    }
  }

  private warn({ generation }: Member, error: unknown): void {
    this.log.warn(`${generation.projection.name} is interrupted, trying again: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function withResolvers(): PromiseWithResolvers {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Whoever does not wait for it is told by its fate.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
