import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/environment.js';
import type { ReportOutput } from './build-report.js';

/** Where a command prints. */
export interface Printing {
  readonly output: Writable & ReportOutput;
  /** Gets complaints. */
  readonly errors: Writable;
}

/** What a command has from its caller, which is mostly a shell. */
export interface Shell extends Printing {
  readonly environment: Environment;
  /** Read only if an option says so. */
  readonly input: Readable;
}
