import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import type { OperatorAct } from '../../features/accesses/commands/record-operator-act.js';
import type { BackupMade } from '../backup/backup.documents.js';
import type { AskedOperation } from '../operations/operations.js';

/**
 * Requests of commands to a running server: JSON, one value a line, over a local socket. One
 * request a connection; any number of `progress` answers, then one `done` or `failed`, then the server hangs up.
 */
export type ControlRequest =
  | { readonly request: 'status' }
  /** Answered with the JSON of a `ServerStatus` and a `HealthReport` in one. */
  | { readonly request: 'health' }
  | ({ readonly request: 'rebuild' } & AskedRebuild)
  | { readonly request: 'operate'; readonly asked: AskedOperation }
  /** Tells of a backup that was made. */
  | { readonly request: 'backup'; readonly made: BackupMade }
  /** Records a command in the log. */
  | { readonly request: 'record'; readonly act: OperatorAct };

export interface AskedRebuild {
  /** null: every projection. */
  readonly projections: readonly string[] | null;
  /** Places of events that cannot be read and are to be passed over, as STREAM@REVISION. Absent: none. */
  readonly skip?: readonly string[];
}

export type ControlAnswer =
  | { readonly answer: 'progress'; readonly progress: BuildProgress }
  | { readonly answer: 'done'; readonly result: unknown }
  /** `message` is for the operator. */
  | { readonly answer: 'failed'; readonly message: string };

export interface ServerStatus {
  readonly url: string;
  readonly pid: number;
}

/** Handlers of the requests. */
export interface ControlHandlers {
  status(): ServerStatus | Promise<ServerStatus>;
  health(): string;
  /** Resolves when the rebuilt documents are live. An Error's message is shown to the operator. */
  rebuild(asked: AskedRebuild, onProgress: (progress: BuildProgress) => void): Promise<void>;
  /** @returns its result, as JSON. An Error's message is shown to the operator */
  operate(asked: AskedOperation): Promise<string>;
  /** Resolves when the backup is remembered, for monitoring. */
  rememberBackup(made: BackupMade): Promise<void>;
  /** Resolves when the act is in the log. @returns false if the server records none */
  record(act: OperatorAct): Promise<boolean>;
}
