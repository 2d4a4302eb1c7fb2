import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { CommandContext } from '../kernel/deciding.js';
import { newEventId } from '../kernel/ids.js';
import { NotBuiltYet } from '../kernel/outcome-errors.js';
import { PeriodicTask } from '../kernel/periodic-task.js';

interface SweeperOptions {
  /** Name in the log. */
  readonly name: string;
  /** What could not be done if a run fails: `idle queues could not be looked for`. */
  readonly failure: string;
  /** Milliseconds from one run to the next. */
  readonly every: number;
  /** Milliseconds to the first run; default `every`. */
  readonly firstAfter?: number;
}

/**
 * Work that the server does by itself from time to time, such as ending what is too old. Several processes may do it.
 */
export abstract class Sweeper<Result = void> implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;
  private readonly stopping = new AbortController();

  protected constructor({ name, failure, ...times }: SweeperOptions) {
    const log = new Logger(name);
    let lastFailure: string | null = null;
    this.task = new PeriodicTask({
      ...times,
      ref: false,
      work: async () => {
        if (this.isIdle()) return;
        const wrong = await this.sweep().then(
          () => null,
          // A start does not wait for documents that are built: a later run finds them.
          (error: unknown) => (error instanceof NotBuiltYet ? null : String(error)),
        );
        // The same failure again, such as an engine that is away, is told once.
        if (wrong !== null && wrong !== lastFailure) log.warn(`${failure}: ${wrong}`);
        lastFailure = wrong;
      },
    });
  }

  /** Does the work once. */
  abstract sweep(): Promise<Result>;

  /** Whether it is known that there is no work: then a run costs nothing. */
  protected isIdle(): boolean {
    return false;
  }

  /** True once the server stops: a long run ends early. */
  protected get isOver(): boolean {
    return this.stopping.signal.aborted;
  }

  /** The context of the server's own commands. */
  protected context(): CommandContext {
    return { actorId: null, client: 'annals', correlationId: newEventId() };
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return this.task.stop();
  }
}
