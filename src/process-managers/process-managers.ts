import type { ReadModels } from '../../projections/runner/read-models.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { DocumentDatabase, DocumentStore } from '../document-store/document-store.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import type { EventStore, StoredEvent } from '../event-store/event-store.js';
import { BackOff } from '../kernel/back-off.js';
import { type EventPlace, placeOf, type Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import { type Fence, Fenced, storeCheckpoint } from '../processes/fence.js';
import { Aside } from './aside.js';
import { HeldUp } from './held-up.js';
import type { ProcessManager } from './process-manager.js';
import { REACTIONS_DATABASE, type Reactions } from './reactions.js';

const WAIT_BOUND_MS = 2_000;
/** Events that concern nobody are looked at again after a crash rather than noted one by one. */
const MOST_PASSED_OVER = 1_000;

/** How far the process managers are. */
export interface ReactionsProgress {
  /** But for what is done aside. */
  readonly position: Position;
  /** All of it. */
  readonly settled: Position;
  /** The newest position that reactions have reached. */
  readonly followed: Position;
}

export interface ProcessManagersOptions {
  readonly eventStore: EventStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  readonly runner: CommandRunner;
  /** What they look up before they append: `personal`. */
  readonly readModels: ReadModels;
  readonly managers: readonly ProcessManager[];
  readonly report: (error: unknown) => void;
  /** Where several processes take turns. */
  readonly shared?: {
    readonly fence: Fence;
    /** It is another process's turn: this one stops. */
    readonly onFenced: () => void;
    readonly onAdvanced: (progress: ReactionsProgress) => void;
  };
}

/**
 * Follows the log live, with a checkpoint of its own: what a crash left undone is finished at the next start. Should
 * the checkpoint be lost, everything is handled again, and the derived ids make the appends repeats.
 */
export class ProcessManagers implements Reactions {
  private database: DocumentDatabase | null = null;
  private position: Position = START;
  /** The last event that was looked at. */
  private newest: EventPlace | undefined;
  /** The newest position that reactions have reached. */
  private followed: Position = START;
  private readonly waiters = new PositionWaiters();
  private readonly waitersForAll = new PositionWaiters();
  private readonly stopping = new AbortController();
  private readonly aside: Aside;
  private running: Promise<void> = Promise.resolve();
  private storing: Promise<void> = Promise.resolve();
  private readonly byType: ReadonlyMap<string, readonly ProcessManager[]>;

  constructor(private readonly options: ProcessManagersOptions) {
    const byType = new Map<string, ProcessManager[]>();
    for (const manager of options.managers) byType.set(manager.on, [...(byType.get(manager.on) ?? []), manager]);
    this.byType = byType;
    this.aside = new Aside({
      react: (manager, event) => this.react(manager, event),
      onDone: () => this.doneAside(),
      report: options.report,
      signal: this.stopping.signal,
    });
  }

  /** Resolves when all that earlier runs left undone is done. */
  async start(): Promise<void> {
    const { documentStore, eventStore, shared } = this.options;
    this.database = await documentStore.database(REACTIONS_DATABASE);
    await shared?.fence.close(this.database);
    this.position = (await this.database.checkpoint()) ?? START;
    this.followed = this.position;
    const head = await eventStore.head();
    this.running = this.follow();
    await this.reached(head);
  }

  waitFor(position: Position): Promise<Position> {
    return this.within(position, () => this.reached(position));
  }

  waitForAll(position: Position): Promise<Position> {
    const settled = async (): Promise<void> => {
      if (this.settled < position) await new Promise<void>((resolve) => this.waitersForAll.add(position, resolve));
    };
    return this.within(position, settled);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.aside.stopped();
    await this.running;
    await this.storing.catch(() => {});
    await this.database?.close();
  }

  /** Up to where everything is done. */
  private get settled(): Position {
    return this.aside.doneThrough ?? this.position;
  }

  private async within(position: Position, reached: () => Promise<void>): Promise<Position> {
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<Position>((resolve) => {
      timer = setTimeout(() => resolve(position), WAIT_BOUND_MS);
    });
    try {
      return await Promise.race([reached().then(() => Math.max(position, this.followed)), bound]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async reached(position: Position): Promise<void> {
    if (this.position < position) await new Promise<void>((resolve) => this.waiters.add(position, resolve));
  }

  private async follow(): Promise<void> {
    const { eventStore, codec, report, shared } = this.options;
    const { signal } = this.stopping;
    const backOff = new BackOff();
    const heldUp = new HeldUp({ report });
    let passedOver = 0;
    while (!signal.aborted) {
      try {
        const filter = { types: [...this.byType.keys()] };
        for await (const batch of eventStore.subscribe({ after: this.position, filter, signal })) {
          const concerning = batch.events.filter((event) => this.concernsSomeone(event));
          let before = this.position;
          for (const event of await codec.decode(concerning)) {
            for (const manager of this.byType.get(event.type) ?? []) {
              if (manager.isAside) await this.aside.add({ manager, event, after: before });
              else await this.react(manager, event);
            }
            before = event.position;
          }
          this.position = batch.position;
          const last = batch.events.at(-1);
          if (last) this.newest = placeOf(last);
          passedOver += batch.events.length;
          if (concerning.length > 0 || passedOver > MOST_PASSED_OVER) {
            await this.store();
            passedOver = 0;
          }
          this.advance();
          backOff.reset();
          heldUp.succeeded();
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Fenced) return shared?.onFenced();
        heldUp.failed(error);
        await backOff.wait(signal);
      }
    }
  }

  private async react(manager: ProcessManager, event: Recorded): Promise<void> {
    const { runner, readModels } = this.options;
    this.followed = Math.max(this.followed, await manager.react(event, runner, readModels, this.stopping.signal));
  }

  private async doneAside(): Promise<void> {
    try {
      await this.store();
    } catch (error) {
      if (error instanceof Fenced) return this.options.shared?.onFenced();
      throw error;
    } finally {
      this.advance();
    }
  }

  private concernsSomeone({ type, data }: StoredEvent): boolean {
    return (this.byType.get(type) ?? []).some(({ concerns }) => concerns?.(data) ?? true);
  }

  /** One after the other, so that the checkpoint never goes back. */
  private store(): Promise<void> {
    const stored = this.storing.then(async () => {
      const { database, settled, newest } = this;
      const event = newest && newest.position <= settled ? newest : undefined;
      if (database) await storeCheckpoint(database, settled, this.options.shared?.fence, event);
    });
    this.storing = stored.catch(() => {});
    return stored;
  }

  private advance(): void {
    const { position, settled, followed } = this;
    this.options.shared?.onAdvanced({ position, settled, followed });
    this.waiters.advance(position);
    this.waitersForAll.advance(settled);
  }
}
