import { BackOff } from '../kernel/back-off.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { ProcessManager } from './process-manager.js';
import { StallReporter } from './stall-reporter.js';

/** Tasks that may wait. Beyond, the consumer waits too. */
const MOST_WAITING = 1_000;

interface Task {
  readonly event: Recorded;
  readonly manager: ProcessManager;
  /** A checkpoint here brings the event again; null: it comes again in any case. */
  readonly after: Position | null;
}

interface BackgroundQueueOptions {
  readonly react: (manager: ProcessManager, event: Recorded) => Promise<void>;
  /** Called after each task. */
  readonly onDone: () => Promise<void>;
  readonly report: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Carries out long tasks one by one, in memory only: the consumer's checkpoint stays behind them. */
export class BackgroundQueue {
  private readonly tasks: Task[] = [];
  private readonly room: (() => void)[] = [];
  private working: Promise<void> = Promise.resolve();
  private isWorking = false;

  constructor(private readonly options: BackgroundQueueOptions) {}

  /** Position up to which everything is done; null: no task holds the checkpoint. */
  get doneThrough(): Position | null {
    return this.tasks.find(({ after }) => after !== null)?.after ?? null;
  }

  /** Adds a task, and resolves when there is room for more. A task that waits already is not added again. */
  async add(task: Task): Promise<void> {
    const { manager, event } = task;
    if (this.tasks.some((known) => known.manager === manager && known.event.id === event.id)) return;
    this.tasks.push(task);
    if (!this.isWorking) {
      this.isWorking = true;
      this.working = this.work();
    }
    if (this.isFull()) await new Promise<void>((resolve) => this.room.push(resolve));
  }

  /** Resolves when the task at hand has ended, after the signal. The checkpoint brings the rest again. */
  async stopped(): Promise<void> {
    this.release();
    await this.working;
  }

  private async work(): Promise<void> {
    const { react, onDone, report, signal } = this.options;
    const backOff = new BackOff();
    const stalls = new StallReporter({ report });
    for (let task = this.tasks[0]; task && !signal.aborted; task = this.tasks[0]) {
      try {
        await react(task.manager, task.event);
        stalls.succeeded();
        if (signal.aborted) break;
        this.tasks.shift();
        this.release();
        await onDone();
        backOff.reset();
      } catch (error) {
        if (signal.aborted) break;
        stalls.failed(error);
        await backOff.wait(signal);
      }
    }
    this.isWorking = false;
    this.release();
  }

  private isFull(): boolean {
    return this.tasks.length > MOST_WAITING && !this.options.signal.aborted;
  }

  private release(): void {
    if (this.isFull()) return;
    for (const resolve of this.room.splice(0)) resolve();
  }
}
