import { Fenced } from '../cluster/fence.js';
import type { CommandRunner } from '../commands/command-runner.js';
import { CONSEQUENCES_DATABASE, type Consequences } from '../commands/consequences.js';
import { ANSWER_WAIT_MS } from '../kernel/answer-wait.js';
import { type EventPlace, placeOf, type Recorded } from '../kernel/event.js';
import { Mutex } from '../kernel/mutex.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import type { Batch, StoredEvent } from '../log/event-store.js';
import type { ReadModels } from '../read-models/read-models.js';
import { BackgroundQueue } from './background-queue.js';
import { Consumer, type ConsumerSetting } from './consumer.js';
import type { ProcessManager } from './process-manager.js';

/** Events without consequences before the checkpoint is stored: a crash repeats their inspection. */
const MOST_PASSED_OVER = 1_000;

/** The progress of the process managers. */
interface ConsequencesProgress {
  /** Excludes background work. */
  readonly position: Position;
  /** Includes background work. */
  readonly settled: Position;
  /** The newest position that consequences have reached. */
  readonly followed: Position;
}

export interface ProcessManagersOptions extends ConsumerSetting {
  readonly runner: CommandRunner;
  /** Read models that managers read before they append. */
  readonly readModels: ReadModels;
  readonly managers: readonly ProcessManager[];
  /** Longest wait of `waitFor` and `waitForAll`, milliseconds; default 2000 (D11). */
  readonly longestWait?: number;
  readonly shared?: NonNullable<ConsumerSetting['shared']> & {
    /** @param isMere no event had a consequence since the last call */
    readonly onAdvanced: (progress: ConsequencesProgress, isMere: boolean) => void;
  };
}

/**
 * Runs the process managers. The next start finishes work that a crash interrupted. If the checkpoint is lost,
 * everything is handled again; the derived ids make those appends repeats.
 */
export class ProcessManagers implements Consequences {
  /** The newest event that was looked at. */
  private newest: EventPlace | undefined;
  /** The newest position that consequences have reached. */
  private followed: Position = START;
  /** Events since the checkpoint was stored. */
  private passedOver = 0;
  private readonly waitersForAll = new PositionWaiters();
  private readonly background: BackgroundQueue;
  private readonly consumer: Consumer;
  private readonly storing = new Mutex();
  private readonly byType: ReadonlyMap<string, readonly ProcessManager[]>;

  constructor(private readonly options: ProcessManagersOptions) {
    const byType = new Map<string, ProcessManager[]>();
    for (const manager of options.managers) byType.set(manager.on, [...(byType.get(manager.on) ?? []), manager]);
    this.byType = byType;
    this.consumer = new Consumer({
      ...options,
      name: CONSEQUENCES_DATABASE,
      database: CONSEQUENCES_DATABASE,
      types: [...byType.keys()],
      concerns: (event) => this.concernsAny(event),
      startAfter: (checkpoint) => {
        this.followed = checkpoint ?? START;
        return this.followed;
      },
      handle: (events, batch) => this.handle(events, batch),
      again: (event, follower) => this.handleAgain(event, follower),
      followersOf: (type) => this.managersOf(type).map(({ name }) => name),
    });
    this.background = new BackgroundQueue({
      react: (manager, event) => this.reactInBackground(manager, event),
      onDone: () => this.doneInBackground(),
      report: options.report,
      signal: this.consumer.signal,
    });
  }

  /** Resolves when all work of earlier runs is done. */
  async start(): Promise<void> {
    const head = await this.options.eventStore.head();
    await this.consumer.start();
    await this.consumer.waitFor(head);
  }

  async waitFor(position: Position): Promise<Position> {
    return this.followedSince(position, await this.consumer.waitFor(position, this.longestWait));
  }

  async waitForAll(position: Position): Promise<Position> {
    const isSettled = this.settled >= position || (await this.waitersForAll.wait(position, this.longestWait));
    return this.followedSince(position, isSettled);
  }

  async close(): Promise<void> {
    this.consumer.stop();
    await this.background.stopped();
    await this.consumer.close();
  }

  private get longestWait(): number {
    return this.options.longestWait ?? ANSWER_WAIT_MS;
  }

  /** Position up to which everything is done. */
  private get settled(): Position {
    return this.background.doneThrough ?? this.consumer.position;
  }

  private followedSince(position: Position, isReached: boolean): Position {
    return isReached ? Math.max(position, this.followed) : position;
  }

  private async handle(events: readonly Recorded[], batch: Batch): Promise<void> {
    let before = this.consumer.position;
    for (const event of events) {
      for (const manager of this.managersOf(event.type)) {
        if (manager.inBackground) await this.background.add({ manager, event, after: before });
        else await this.react(manager, event);
      }
      before = event.position;
    }
    this.consumer.markHandled(batch.position);
    const last = batch.events.at(-1);
    if (last) this.newest = placeOf(last);
    this.passedOver += batch.events.length;
    if (events.length > 0 || this.passedOver > MOST_PASSED_OVER) {
      await this.store();
      this.passedOver = 0;
    }
    this.advance(events.length === 0);
  }

  private async handleAgain(event: Recorded, follower: string): Promise<void> {
    const manager = this.managersOf(event.type).find(({ name }) => name === follower);
    if (manager?.inBackground) await this.background.add({ manager, event, after: null });
    else if (manager) await this.react(manager, event);
  }

  /** An event that the manager cannot handle is passed over: nobody waits for its consequences. */
  private async react(manager: ProcessManager, event: Recorded): Promise<void> {
    const { runner, readModels } = this.options;
    const react = async (): Promise<void> => {
      const position = await manager.react(event, runner, readModels, this.consumer.signal);
      this.followed = Math.max(this.followed, position);
    };
    await this.consumer.attempt(event, react, manager.name);
  }

  private managersOf(type: string): readonly ProcessManager[] {
    return this.byType.get(type) ?? [];
  }

  private async reactInBackground(manager: ProcessManager, event: Recorded): Promise<void> {
    try {
      await this.react(manager, event);
    } catch (error) {
      if (error instanceof Fenced) this.options.shared?.onFenced();
      throw error;
    }
  }

  private async doneInBackground(): Promise<void> {
    try {
      await this.store();
    } catch (error) {
      if (error instanceof Fenced) return this.options.shared?.onFenced();
      throw error;
    } finally {
      this.advance(false);
    }
  }

  private concernsAny({ type, data }: StoredEvent): boolean {
    return this.managersOf(type).some(({ concerns }) => concerns?.(data) ?? true);
  }

  /** Stores checkpoints one by one, so that the checkpoint never goes back. */
  private store(): Promise<void> {
    return this.storing.run(() => {
      const { settled, newest } = this;
      return this.consumer.storeCheckpoint(settled, newest && newest.position <= settled ? newest : undefined);
    });
  }

  private advance(isMere: boolean): void {
    const { settled, followed } = this;
    this.options.shared?.onAdvanced({ position: this.consumer.position, settled, followed }, isMere);
    this.waitersForAll.advance(settled);
  }
}
