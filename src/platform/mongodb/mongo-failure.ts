import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoDriverError,
  MongoError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';

/** The server has not answered in time. The outcome of the call is unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const WRITE_CONFLICT = 112;

/**
 * The server's error codes that say "not now": the server is stepping down, shutting down, out of time, in conflict
 * with another transaction, short of nodes or of space, or no longer lets us in.
 */
const TRANSIENT: Readonly<Record<string, number>> = {
  HostUnreachable: 6,
  HostNotFound: 7,
  Unauthorized: 13,
  AuthenticationFailed: 18,
  LockTimeout: 24,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  StaleShardVersion: 63,
  WriteConcernTimeout: 64,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: WRITE_CONFLICT,
  ConflictingOperationInProgress: 117,
  FailedToSatisfyReadPreference: 133,
  ReadConcernMajorityNotAvailableYet: 134,
  StaleEpoch: 150,
  QueryPlanKilled: 175,
  PrimarySteppedDown: 189,
  TransactionTooOld: 225,
  RetryChangeStream: 234,
  SnapshotTooOld: 239,
  SnapshotUnavailable: 246,
  NoSuchTransaction: 251,
  ExceededTimeLimit: 262,
  PreparedTransactionInProgress: 267,
  IndexBuildAborted: 276,
  TransactionExceededLifetimeLimitSeconds: 290,
  ReauthenticationRequired: 391,
  SocketException: 9001,
  LegacyNotPrimary: 10058,
  NotWritablePrimary: 10107,
  InterruptedAtShutdown: 11600,
  Interrupted: 11601,
  InterruptedDueToReplStateChange: 11602,
  StaleConfig: 13388,
  NotPrimaryNoSecondaryOk: 13435,
  NotPrimaryOrSecondary: 13436,
  OutOfDiskSpace: 14031,
};

/** The server has answered, and may refuse the same call again: conflicts, limits of transactions, space, rights. */
const REFUSALS = new Set([
  TRANSIENT.Unauthorized,
  TRANSIENT.AuthenticationFailed,
  TRANSIENT.LockTimeout,
  TRANSIENT.MaxTimeMSExpired,
  TRANSIENT.TransactionTooOld,
  TRANSIENT.NoSuchTransaction,
  TRANSIENT.ExceededTimeLimit,
  TRANSIENT.TransactionExceededLifetimeLimitSeconds,
  TRANSIENT.OutOfDiskSpace,
  WRITE_CONFLICT,
]);

const TRANSIENT_CODES = new Set(Object.values(TRANSIENT));

const DRIVER_FAILURES = [
  NoAnswer,
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoServerClosedError,
  MongoExpiredSessionError,
  MongoWriteConcernError,
];

export const DUPLICATE_KEY = 11000;

/** The reason, in one line, why the same call may succeed later; null if it would fail the same way. */
export function transientReason(error: unknown): string | null {
  if (DRIVER_FAILURES.some((kind) => error instanceof kind) || isPoolFailure(error)) return oneLine(error);
  if (!(error instanceof MongoError)) return null;
  // A bulk write wraps even errors of a call that never came to the server.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) {
    return transientReason(error.errorResponse);
  }
  if (
    error.hasErrorLabel(MongoErrorLabel.TransientTransactionError) ||
    error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult) ||
    error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)
  ) {
    return oneLine(error);
  }
  if (error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY) return null;
  if (error instanceof MongoBulkWriteError && error.result.getWriteConcernError()) return oneLine(error);
  return error instanceof MongoServerError && TRANSIENT_CODES.has(Number(error.code)) ? oneLine(error) : null;
}

/** Whether the server itself has refused the call, as it may again. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof MongoServerError && REFUSALS.has(Number(error.code));

/**
 * Somebody has ended the session or the command (`killSessions`, `killOp`) while the command was under way. Of a commit
 * this does not tell the outcome: a commit that is stored can be interrupted while it waits for the majority.
 */
export const isInterrupted = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === TRANSIENT.Interrupted;

/** The transaction has ended, and nothing of it is stored. A commit never throws an interruption. */
export const isEnded = (error: unknown): boolean =>
  isInterrupted(error) || (error instanceof MongoServerError && error.code === TRANSIENT.NoSuchTransaction);

/** Another transaction was in the way; or this one is too large, and will be the next time. Nothing of it is stored. */
export const isConflict = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === WRITE_CONFLICT;

/** The `_id` of an inserted document is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Goes by names: the driver does not export the classes of its pool's errors. */
function isPoolFailure(error: unknown): boolean {
  return error instanceof MongoDriverError && /^(MongoWaitQueueTimeout|MongoPool)/.test(error.name);
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s+/g, ' ');
}
