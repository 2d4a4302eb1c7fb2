import { BackOff } from '../kernel/back-off.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import { HeldUp } from './held-up.js';
import type { ProcessManager } from './process-manager.js';

/** Events that wait; beyond, what follows them waits too. */
const MOST_WAITING = 1_000;

interface Task {
  readonly event: Recorded;
  readonly manager: ProcessManager;
  /** Whoever goes on from here comes to the event again. */
  readonly after: Position;
}

export interface AsideOptions {
  readonly react: (manager: ProcessManager, event: Recorded) => Promise<void>;
  /** Something is done. */
  readonly onDone: () => Promise<void>;
  readonly report: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** What takes long, one after the other, while everything else goes on. Kept in memory: the checkpoint stays behind it. */
export class Aside {
  private readonly tasks: Task[] = [];
  private readonly room: (() => void)[] = [];
  private working: Promise<void> = Promise.resolve();
  private isWorking = false;

  constructor(private readonly options: AsideOptions) {}

  /** Up to where everything is done; null: there is nothing left. */
  get doneThrough(): Position | null {
    return this.tasks[0]?.after ?? null;
  }

  /** Resolves when there is room for more. What has been added before is not added again. */
  async add(task: Task): Promise<void> {
    const { manager, event } = task;
    if (this.tasks.some((known) => known.manager === manager && known.event.id === event.id)) return;
    this.tasks.push(task);
    if (!this.isWorking) {
      this.isWorking = true;
      this.working = this.work();
    }
    if (this.tasks.length > MOST_WAITING) await new Promise<void>((resolve) => this.room.push(resolve));
  }

  /** What is at work comes to its end; the rest is for whoever goes on from the checkpoint. */
  async stopped(): Promise<void> {
    this.release();
    await this.working;
  }

  private async work(): Promise<void> {
    const { react, onDone, report, signal } = this.options;
    const backOff = new BackOff();
    const heldUp = new HeldUp({ report });
    for (let task = this.tasks[0]; task && !signal.aborted; task = this.tasks[0]) {
      try {
        await react(task.manager, task.event);
        heldUp.succeeded();
        if (signal.aborted) break;
        this.tasks.shift();
        this.release();
        await onDone();
        backOff.reset();
      } catch (error) {
        if (signal.aborted) break;
        heldUp.failed(error);
        await backOff.wait(signal);
      }
    }
    this.isWorking = false;
    this.release();
  }

  private release(): void {
    if (this.tasks.length > MOST_WAITING && !this.options.signal.aborted) return;
    for (const go of this.room.splice(0)) go();
  }
}
