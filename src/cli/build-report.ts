import { MultiBar, type SingleBar } from 'cli-progress';
import type { BuildProgress } from './control-protocol.js';

/** A terminal gets bars, anything else a line now and then. */
export interface ReportOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface Build {
  readonly from: number;
  readonly startedAt: number;
  /** When a line about it was last written; null before the first. */
  lineAt: number | null;
  finished: boolean;
}

const BETWEEN_LINES_MS = 2000;

/** Shows how far projections are that are being built: percent, events a second, time left. */
export class BuildReport {
  private readonly builds = new Map<string, Build>();
  private readonly bars = new Map<string, SingleBar>();
  private multiBar: MultiBar | null = null;
  private firstUpdateAt: number | null = null;

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
    this.firstUpdateAt ??= now;
    const build = this.buildOf(progress, now);
    if (build.finished || now - this.firstUpdateAt < this.patience) return;
    build.finished = progress.position >= progress.head;
    if (this.output.isTTY) this.moveBar(progress, speedOf(build, progress, now));
    else if (build.finished || build.lineAt === null || now - build.lineAt >= BETWEEN_LINES_MS) {
      build.lineAt = now;
      const { projection } = progress;
      this.output.write(`${projection}: ${percent(progress)} %, ${describe(speedOf(build, progress, now))}\n`);
    }
  }

  /** Leaves what was shown on the screen, and the cursor under it. */
  end(): void {
    this.multiBar?.stop();
    this.multiBar = null;
    this.bars.clear();
    this.builds.clear();
  }

  private buildOf({ projection, position }: BuildProgress, now: number): Build {
    let build = this.builds.get(projection);
    if (!build) {
      build = { from: position, startedAt: now, lineAt: null, finished: false };
      this.builds.set(projection, build);
    }
    return build;
  }

  private moveBar(progress: BuildProgress, speed: Speed): void {
    const { projection, position, head } = progress;
    this.multiBar ??= new MultiBar({
      // It would take the signals that end this process.
      gracefulExit: false,
      stream: this.output as NodeJS.WriteStream,
      format: '{name} [{bar}] {percentage}% {speed}',
      barsize: 30,
      emptyOnZero: false,
    });
    const payload = { name: projection.padEnd(16), speed: describe(speed) };
    const bar = this.bars.get(projection) ?? this.multiBar.create(head, position, payload);
    this.bars.set(projection, bar);
    bar.setTotal(head);
    bar.update(position, payload);
  }
}

interface Speed {
  /** null until it can be told. */
  readonly eventsPerSecond: number | null;
  readonly secondsLeft: number | null;
}

function speedOf(build: Build, { position, head }: BuildProgress, now: number): Speed {
  const seconds = (now - build.startedAt) / 1000;
  const eventsPerSecond = (position - build.from) / seconds;
  if (!Number.isFinite(eventsPerSecond) || eventsPerSecond <= 0) return { eventsPerSecond: null, secondsLeft: null };
  return { eventsPerSecond, secondsLeft: Math.max(0, head - position) / eventsPerSecond };
}

function describe({ eventsPerSecond, secondsLeft }: Speed): string {
  if (eventsPerSecond === null || secondsLeft === null) return 'starting';
  return `${Math.round(eventsPerSecond).toLocaleString('en-US')} events/s, ${duration(secondsLeft)} left`;
}

/** `42 s`, `3 min 5 s`, `2 h 10 min` */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const percent = ({ position, head }: BuildProgress): number =>
  head <= 0 ? 100 : Math.floor((Math.min(position, head) / head) * 100);
