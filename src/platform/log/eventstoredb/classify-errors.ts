import {
  ErrorType,
  MaxAppendSizeExceededError,
  type StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { EventStoreUnavailable } from '../event-store.js';

/** Outcome of a failed append. */
export type AppendFailure =
  /** Another revision than the one expected; null: no such stream. Nothing was written by this attempt. */
  | { readonly kind: 'conflict'; readonly actual: number | null }
  /** The server takes no append of this size. */
  | { readonly kind: 'too-big'; readonly most: number }
  /** The server has refused it: nothing was written, and trying again is of no use. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It may have been written. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * Classifies by `type`, since messages of the batch path are empty and its codes absent. Failures that may have written
 * count as unknown.
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

/** A live subscription that the server has dropped because events came in a burst: routine, the rest goes on. */
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

/** On one line; an error of the batch path has no message, and then its type says what it is. */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message || (typeOf(error) ?? 'an unnamed error')).replace(/\s+/g, ' ').replace(/^EventStoreDB: /, '');
}

/** Of the client's own errors; a bare `Error`, as an append on a fresh channel throws it, has none. */
function typeOf(error: unknown): string | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  return typeof type === 'string' ? type : undefined;
}

function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}
