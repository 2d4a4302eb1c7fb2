import type { ProjectionStatus } from '../../../projections/runner/live-projections.js';
import type { PassedOverReport } from '../../platform/consumers/passed-over.js';
import type { DamagedFile } from '../../platform/file-store/damaged-file.js';
import type { HealthSource } from '../../platform/kernel/health-source.js';
import type { Position } from '../../platform/kernel/position.js';
import type { ProcessFigures, ProcessMeter } from '../../platform/meter/process-meter.js';
import type { CheckpointsReport } from '../../platform/transparency/published-checkpoint.js';
import type { BackupReport } from '../backup/backup.documents.js';
import type { VerificationReport } from '../verify/verification.documents.js';

/** State of an engine, as far as this process can tell. */
export interface EngineHealth {
  readonly reachable: boolean;
  /** Milliseconds since its last answer; null: never. */
  readonly answeredMsAgo: number | null;
}

/** Work on the log that no projection does, whichever process does it. */
export interface FollowersReport {
  /** Events that followers of the log could not handle; null: not known yet. */
  readonly passedOver: PassedOverReport | null;
  /** Signed checkpoints of the log; null: not known yet, or there is none yet. */
  readonly checkpoints: CheckpointsReport | null;
  /** The verification that ran last by itself; null: not known yet, or none has. */
  readonly verification: VerificationReport | null;
  /** The backup that was made last; null: not known yet, or none was. */
  readonly backup: BackupReport | null;
}

export interface HealthReport extends FollowersReport {
  /** True if the process can do its work. */
  readonly ready: boolean;
  /** Position of the newest event of the log, as far as this process knows. */
  readonly logEnd: Position;
  readonly engines: { readonly log: EngineHealth; readonly documents: EngineHealth };
  /** Projections that this process reads or keeps. */
  readonly projections: readonly ProjectionStatus[];
  /** Files that clients have asked this process for and that are not as the log says, the newest first. */
  readonly damagedFiles: readonly DamagedFile[];
  /** null: the report is not a process's own, or the process has only begun to start. */
  readonly process: ProcessFigures | null;
}

/** Health of a process, for monitoring. */
export interface Health extends HealthSource {
  report(): HealthReport;
}

export type ReportWithoutFigures = Omit<HealthReport, 'process'>;

/** The health of a process with the figures of its meter. */
export const withFigures = (
  health: { report(): ReportWithoutFigures },
  meter: Pick<ProcessMeter, 'figures'>,
): Health => ({ report: () => ({ ...health.report(), process: meter.figures() }) });

/** Rounds an age for a report; null: never. */
export const wholeMilliseconds = (age: number): number | null =>
  Number.isFinite(age) ? Math.max(0, Math.round(age)) : null;
