import type { CollectionSpec, DocumentStore, StoredDocument } from '../../platform/documents/document-store.js';
import { inExisting } from '../../platform/documents/in-database.js';

/** The verification of the log that ran last by itself. */
export interface VerificationDocument extends StoredDocument {
  readonly _id: 'last';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Last time at which the process that runs it was known to live, milliseconds since 1970. */
  readonly aliveAt: number;
  /** What is compared now, or was last. */
  readonly doing: string | null;
  /** How far that is, 0 to 99; null: not known. */
  readonly percent: number | null;
  /** null until the end. */
  readonly result: 'right' | 'wrong' | 'interrupted' | null;
  /** What the command has said at its end. */
  readonly said: readonly string[];
}

/** The verification that ran last, for monitoring. Times are ISO 8601. */
export interface VerificationReport {
  readonly result: 'right' | 'wrong' | 'interrupted' | 'running';
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly doing: string | null;
  readonly percent: number | null;
  readonly said: readonly string[];
}

export const VERIFICATION_DATABASE = 'verification';
export const RUNS = 'runs';
export const verificationCollections: Readonly<Record<string, CollectionSpec>> = { [RUNS]: {} };

/** A process that runs a verification says so more often. */
export const SILENT_MS = 60_000;

/** Reads the verification that ran last, whichever process did it; null: none has. */
export async function verificationIn(store: DocumentStore): Promise<VerificationReport | null> {
  const last = await inExisting(store, VERIFICATION_DATABASE, verificationCollections, (database) =>
    database.collection<VerificationDocument>(RUNS).findOne({ _id: 'last' }),
  );
  return last && reportOf(last, Date.now());
}

export function reportOf(last: VerificationDocument, now: number): VerificationReport {
  const { startedAt, endedAt, aliveAt, doing, percent, result, said } = last;
  return {
    result: result ?? (now - aliveAt > SILENT_MS ? 'interrupted' : 'running'),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    doing,
    percent,
    said,
  };
}
