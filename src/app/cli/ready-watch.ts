import type { ProjectionStatus } from '../../../projections/runner/live-projections.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import { pause } from '../../platform/kernel/pause.js';
import type { Position } from '../../platform/kernel/position.js';
import type { BuildReport } from './build-report.js';

const BETWEEN_LOOKS_MS = 100;

interface Watched {
  status(): ProjectionStatus[];
  settled(): Promise<void>;
}

/** Shows the progress of the documents while a server starts. */
export class ReadyWatch {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly report: BuildReport,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Shows builds until `end`. */
  showBuilds(runner: Watched): void {
    this.timer = setInterval(() => {
      const { progress = null } = runner.status().find((status) => status.progress !== null) ?? {};
      if (progress) this.report.update(progress);
    }, BETWEEN_LOOKS_MS);
  }

  /**
   * Resolves when all missing documents are built, and every projection that has not failed has applied the log up to
   * `head`; or when the signal aborts.
   */
  async ready(runner: Watched, head: Position, signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([runner.settled(), aborted]);
    this.end();
    const startedAt = this.now();
    let from: Position | undefined;
    while (!signal.aborted) {
      const behind = runner.status().filter(({ position, state }) => state !== 'failed' && position < head);
      if (behind.length === 0) break;
      const position = Math.min(...behind.map((status) => status.position));
      from ??= position;
      this.report.update(catchingUp(behind, { from, position, head, seconds: (this.now() - startedAt) / 1000 }));
      await pause(BETWEEN_LOOKS_MS, signal);
    }
    this.end();
  }

  end(): void {
    clearInterval(this.timer);
    this.report.end();
  }
}

interface Way {
  readonly from: Position;
  readonly position: Position;
  readonly head: Position;
  readonly seconds: number;
}

function catchingUp(behind: readonly ProjectionStatus[], { from, position, head, seconds }: Way): BuildProgress {
  const eventsPerSecond = seconds > 0 ? (position - from) / seconds : 0;
  return {
    projections: behind.map(({ name }) => name),
    done: position,
    total: head,
    eventsPerSecond,
    secondsLeft: eventsPerSecond > 0 ? (head - position) / eventsPerSecond : null,
    position,
    head,
    stall: null,
  };
}
