import { Logger } from '@nestjs/common';
import { UnavailableError } from '../kernel/outcome-errors.js';
import { EventStoreUnavailable } from '../log/event-store.js';

/** The documents are not as far as the event yet. They will be, so nothing is wrong. */
export class DocumentsBehind extends UnavailableError {
  override readonly name = 'DocumentsBehind';
}

/** Time after which a wait is reported. A dead worker is replaced within seconds; longer rebuilds are worth a line. */
const WORTH_A_LINE_MS = 30_000;

interface StallReporterOptions {
  readonly report: (error: unknown) => void;
  readonly say?: (line: string) => void;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/**
 * Reports failures of repeated work: a long wait for documents when it is long and when it is over, an unavailable log
 * once, any other failure each time.
 */
export class StallReporter {
  private readonly say: (line: string) => void;
  private readonly clock: () => number;
  private since: number | null = null;
  private isSaid = false;
  /** Name of the log's failure that was reported since the last success. */
  private reported: string | null = null;

  constructor(private readonly options: StallReporterOptions) {
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
