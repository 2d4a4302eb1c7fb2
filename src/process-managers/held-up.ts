import { Logger } from '@nestjs/common';
import { EventStoreUnavailable } from '../event-store/event-store.js';
import { UnavailableError } from '../kernel/domain-error.js';

/** What has to be looked up is not as far as the event yet: it will be, so nothing is wrong. */
export class DocumentsBehind extends UnavailableError {
  override readonly name = 'DocumentsBehind';
}

/** A worker that dies is replaced within seconds, and a rebuild that takes longer is worth a line. */
const WORTH_A_LINE_MS = 30_000;

export interface HeldUpOptions {
  readonly report: (error: unknown) => void;
  readonly say?: (line: string) => void;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/**
 * What is said where something is tried again and again: a wait for documents once when it lasts, and once when it is
 * over; a log that is away once.
 */
export class HeldUp {
  private readonly say: (line: string) => void;
  private readonly clock: () => number;
  private since: number | null = null;
  private isSaid = false;
  /** What kind of absence of the log was reported since something succeeded. */
  private reported: string | null = null;

  constructor(private readonly options: HeldUpOptions) {
    const log = new Logger('ProcessManagers');
    this.say = options.say ?? ((line) => log.warn(line));
    this.clock = options.clock ?? (() => performance.now());
  }

  failed(error: unknown): void {
    if (!(error instanceof DocumentsBehind)) {
      const absence = error instanceof EventStoreUnavailable ? error.name : null;
      if (absence === null || absence !== this.reported) this.options.report(error);
      this.reported = absence;
      return;
    }
    this.since ??= this.clock();
    const seconds = Math.round((this.clock() - this.since) / 1000);
    if (this.isSaid || seconds * 1000 < WORTH_A_LINE_MS) return;
    this.isSaid = true;
    this.say(`what decisions cause has waited for documents for ${seconds} s: ${error.message}`);
  }

  succeeded(): void {
    if (this.since !== null && this.isSaid) {
      const seconds = Math.round((this.clock() - this.since) / 1000);
      this.say(`what decisions cause goes on: the documents are there after ${seconds} s`);
    }
    this.since = null;
    this.isSaid = false;
    this.reported = null;
  }
}
