import type { ReadModels } from '../../projections/runner/read-models.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { DocumentDatabase, DocumentStore } from '../document-store/document-store.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import type { EventStore, StoredEvent } from '../event-store/event-store.js';
import { type Position, START } from '../kernel/position.js';
import { type Fence, Fenced } from '../processes/fence.js';
import type { ProcessManager } from './process-manager.js';
import { REACTIONS_DATABASE, type Reactions } from './reactions.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
const WAIT_BOUND_MS = 2_000;
/** Events that concern nobody are looked at again after a crash rather than noted one by one. */
const MOST_PASSED_OVER = 1_000;

interface Waiter {
  readonly position: Position;
  readonly resolve: (followed: Position) => void;
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
    /** @param followed the newest position that reactions have reached */
    readonly onAdvanced: (position: Position, followed: Position) => void;
  };
}

/**
 * Follows the log live, with a checkpoint of its own: what a crash left undone is finished at the next start. Should
 * the checkpoint be lost, everything is handled again, and the derived ids make the appends repeats.
 */
export class ProcessManagers implements Reactions {
  private database: DocumentDatabase | null = null;
  private position: Position = START;
  /** The newest position that reactions have reached. */
  private followed: Position = START;
  private readonly waiters = new Set<Waiter>();
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly byType: ReadonlyMap<string, readonly ProcessManager[]>;

  constructor(private readonly options: ProcessManagersOptions) {
    const byType = new Map<string, ProcessManager[]>();
    for (const manager of options.managers) byType.set(manager.on, [...(byType.get(manager.on) ?? []), manager]);
    this.byType = byType;
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

  async waitFor(position: Position): Promise<Position> {
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<Position>((resolve) => {
      timer = setTimeout(() => resolve(position), WAIT_BOUND_MS);
    });
    try {
      return await Promise.race([this.reached(position), bound]);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.database?.close();
  }

  private reached(position: Position): Promise<Position> {
    if (this.position >= position) return Promise.resolve(Math.max(position, this.followed));
    return new Promise((resolve) => this.waiters.add({ position, resolve }));
  }

  private async follow(): Promise<void> {
    const { eventStore, codec, runner, readModels, report, shared } = this.options;
    const { signal } = this.stopping;
    let pause = FIRST_PAUSE_MS;
    let passedOver = 0;
    while (!signal.aborted) {
      try {
        const filter = { types: [...this.byType.keys()] };
        for await (const batch of eventStore.subscribe({ after: this.position, filter, signal })) {
          const concerning = batch.events.filter((event) => this.concernsSomeone(event));
          for (const event of await codec.decode(concerning)) {
            for (const manager of this.byType.get(event.type) ?? []) {
              this.followed = Math.max(this.followed, await manager.react(event, runner, readModels));
            }
          }
          passedOver += batch.events.length;
          if (concerning.length > 0 || passedOver > MOST_PASSED_OVER) {
            await this.store(batch.position);
            passedOver = 0;
          }
          this.advance(batch.position);
          pause = FIRST_PAUSE_MS;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Fenced) return shared?.onFenced();
        report(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  private concernsSomeone({ type, data }: StoredEvent): boolean {
    return (this.byType.get(type) ?? []).some(({ concerns }) => concerns?.(data) ?? true);
  }

  private async store(position: Position): Promise<void> {
    const { database } = this;
    await database?.transaction(async (transaction) => {
      await this.options.shared?.fence.enter(transaction, database.name);
      await transaction.setCheckpoint(position);
    });
  }

  private advance(position: Position): void {
    this.position = position;
    this.options.shared?.onAdvanced(position, this.followed);
    for (const waiter of this.waiters) {
      if (waiter.position > position) continue;
      this.waiters.delete(waiter);
      waiter.resolve(Math.max(waiter.position, this.followed));
    }
  }
}
