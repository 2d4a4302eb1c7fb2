import { SingleBar } from 'cli-progress';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';

interface WorkProgress {
  /** The work, such as `Building messages`. */
  readonly what: string;
  /** Same unit as `total`. */
  readonly done: number;
  readonly total: number;
  readonly eventsPerSecond: number;
  /** Shown in place of the events a second: what is counted, and a second's number of it. */
  readonly rate?: { readonly unit: string; readonly perSecond: number };
  /** null until it is known. */
  readonly secondsLeft: number | null;
}

/** Output of reports: a terminal gets a bar, anything else a line now and then. */
export interface ReportOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BETWEEN_LINES_MS = 2000;

/** Shows the progress of work on a whole log: percent, events a second, time left. */
export class WorkReport {
  private bar: SingleBar | null = null;
  private startedAt: number | null = null;
  private lineAt: number | null = null;

  /**
   * @param patience milliseconds before anything is shown
   * @param now a monotonic clock, milliseconds
   */
  constructor(
    private readonly output: ReportOutput,
    private readonly patience = 0,
    private readonly now: () => number = () => performance.now(),
  ) {}

  update(progress: WorkProgress): void {
    const now = this.now();
    this.startedAt ??= now;
    if (now - this.startedAt < this.patience) return;
    if (this.output.isTTY) this.moveBar(progress);
    else if (this.lineAt === null || now - this.lineAt >= BETWEEN_LINES_MS) {
      this.lineAt = now;
      this.output.write(`${progress.what}: ${percent(progress)} %, ${speed(progress)}\n`);
    }
  }

  /** Leaves what was shown on the screen, and the cursor under it. */
  end(): void {
    this.bar?.stop();
    this.bar = null;
    this.startedAt = null;
    this.lineAt = null;
  }

  private moveBar(progress: WorkProgress): void {
    const payload = { what: progress.what, speed: speed(progress) };
    if (!this.bar) {
      this.bar = new SingleBar({
        // A graceful exit would take the signals that end this process.
        gracefulExit: false,
        stream: this.output as NodeJS.WriteStream,
        format: '{what} [{bar}] {percentage}% {speed}',
        barsize: 30,
      });
      this.bar.start(100, 0, payload);
    }
    this.bar.update(percent(progress), payload);
  }
}

/** Shows the progress of projections that are being built. */
export class BuildReport {
  private readonly report: WorkReport;
  /** What was reported last, and how far it was. */
  private last: string | null = null;

  /** @param options those of `WorkReport` */
  constructor(...options: ConstructorParameters<typeof WorkReport>) {
    this.report = new WorkReport(...options);
  }

  update(progress: BuildProgress): void {
    const what = `Building ${namesOf(progress)}`;
    const here = `${what} at ${progress.position}`;
    // Nothing has been done since the last report.
    if (here === this.last) return;
    this.last = here;
    this.report.update({ ...progress, what });
  }

  /** Leaves what was shown on the screen, and the cursor under it. */
  end(): void {
    this.last = null;
    this.report.end();
  }
}

function speed({ eventsPerSecond, rate, secondsLeft }: WorkProgress): string {
  const { unit, perSecond } = rate ?? { unit: 'events', perSecond: eventsPerSecond };
  const shown = `${Math.round(perSecond).toLocaleString('en-US')} ${unit}/s`;
  return secondsLeft === null ? shown : `${shown}, ${duration(secondsLeft)} left`;
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

/** Stays below 100 until the end is known: the total is an estimate, which is 0 before anything is counted. */
const percent = ({ done, total }: WorkProgress): number =>
  total <= 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));
