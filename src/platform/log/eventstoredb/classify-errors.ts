import {
  ErrorType,
  MaxAppendSizeExceededError,
  type StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { EventStoreUnavailable } from '../event-store.js';

/** Outcome of a failed append. */
type AppendFailure =
  /** The stream has another revision than expected; null if it does not exist. This attempt wrote nothing. */
  | { readonly kind: 'conflict'; readonly actual: number | null }
  /** The append exceeds the server's limit. */
  | { readonly kind: 'too-big'; readonly most: number }
  /** The server refused the append: it wrote nothing, and a repeat is useless. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The events may have been written. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * Classifies by `type`: errors of the batch call have no message and no code. A failure that may have written is
 * `unknown`.
 */
export function classifyAppendFailure(error: unknown): AppendFailure {
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error;
    return { kind: 'conflict', actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : null };
  }
  if (error instanceof MaxAppendSizeExceededError) return { kind: 'too-big', most: error.maxAppendSize };
  switch (typeOf(error)) {
    case ErrorType.ACCESS_DENIED:
      return { kind: 'refused', message: 'EventStoreDB lets this user append nothing here: see the ACL of the stream' };
    case ErrorType.STREAM_DELETED:
      return { kind: 'refused', message: 'the stream was deleted in EventStoreDB' };
    default:
      return { kind: 'unknown', error };
  }
}

/** Tells whether the server dropped a live subscription because of a burst of events: routine, others go on. */
export function isDroppedForSlowness(error: unknown): boolean {
  return typeOf(error) === ErrorType.TIMEOUT || codeOf(error) === 10;
}

export function isStreamNotFound(error: unknown): error is StreamNotFoundError {
  return typeOf(error) === ErrorType.STREAM_NOT_FOUND;
}

export function isAccessDenied(error: unknown): boolean {
  return typeOf(error) === ErrorType.ACCESS_DENIED || codeOf(error) === 7 || codeOf(error) === 16;
}

/** Wraps a fault of the connection as the port's error. */
export function unavailable(error: unknown, stored: 'no' | 'unknown' = 'no'): EventStoreUnavailable {
  if (error instanceof EventStoreUnavailable && error.stored === stored) return error;
  return new EventStoreUnavailable(`EventStoreDB: ${describe(error)}`, stored, { cause: error });
}

/** Describes an error in one line. An error of the batch call has no message; its type is used then. */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message || (typeOf(error) ?? 'an unnamed error')).replace(/\s+/g, ' ').replace(/^EventStoreDB: /, '');
}

/** Type of the client's own errors. A bare `Error`, as an append on a new channel throws, has none. */
function typeOf(error: unknown): string | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  return typeof type === 'string' ? type : undefined;
}

function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}
