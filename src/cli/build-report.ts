import { SingleBar } from 'cli-progress';
import type { BuildProgress } from '../../projections/runner/rebuild-protocol.js';

/** A terminal gets a bar, anything else a line now and then. */
export interface ReportOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BETWEEN_LINES_MS = 2000;

/** Shows how far projections are that are being built: percent, events a second, time left. */
export class BuildReport {
  private bar: SingleBar | null = null;
  private startedAt: number | null = null;
  private lineAt: number | null = null;

  /**
   * @param patience how long a build may take before anything is shown, milliseconds
   * @param now a monotonic clock, milliseconds
   */
  constructor(
    private readonly output: ReportOutput,
    private readonly patience = 0,
    private readonly now: () => number = () => performance.now(),
  ) {}

  update(progress: BuildProgress): void {
    const now = this.now();
    this.startedAt ??= now;
    if (now - this.startedAt < this.patience) return;
    if (this.output.isTTY) this.moveBar(progress);
    else if (this.lineAt === null || now - this.lineAt >= BETWEEN_LINES_MS) {
      this.lineAt = now;
      this.output.write(`Building ${namesOf(progress)}: ${percent(progress)} %, ${speed(progress)}\n`);
    }
  }

  /** Leaves what was shown on the screen, and the cursor under it. */
  end(): void {
    this.bar?.stop();
    this.bar = null;
    this.startedAt = null;
    this.lineAt = null;
  }

  private moveBar(progress: BuildProgress): void {
    const payload = { names: namesOf(progress), speed: speed(progress) };
    if (!this.bar) {
      this.bar = new SingleBar({
        // It would take the signals that end this process.
        gracefulExit: false,
        stream: this.output as NodeJS.WriteStream,
        format: 'Building {names} [{bar}] {percentage}% {speed}',
        barsize: 30,
      });
      this.bar.start(100, 0, payload);
    }
    this.bar.update(percent(progress), payload);
  }
}

function speed({ eventsPerSecond, secondsLeft }: BuildProgress): string {
  const rate = `${Math.round(eventsPerSecond).toLocaleString('en-US')} events/s`;
  return secondsLeft === null ? rate : `${rate}, ${duration(secondsLeft)} left`;
}

/** `42 s`, `3 min 5 s`, `2 h 10 min` */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const namesOf = ({ projections }: BuildProgress): string =>
  projections.length > 3 ? `${projections.length} projections` : projections.join(', ');

/** Below 100 until the end is told: the total is an estimate. */
const percent = ({ done, total }: BuildProgress): number =>
  total <= 0 ? 99 : Math.min(99, Math.floor((done / total) * 100));
