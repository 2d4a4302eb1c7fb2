import type { CollectionSpec, StoredDocument } from '../documents/document-store.js';

/** The database of checkpoints that were signed. It is no part of what is made from the log: it outlives another log. */
export const CHECKPOINTS_DATABASE = 'checkpoints';
export const SIGNED = 'signed';
export const NOTED = 'noted';
export const ALARMS = 'alarms';
export const COSIGNED = 'cosigned';
export const WITNESSES = 'witnesses';

/** The largest checkpoint that is known to be signed with a key. Its name is part of the key. */
export interface SignedDocument extends StoredDocument {
  /** The verifier key. */
  readonly _id: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

/** A checkpoint that is kept for ever. */
export interface NotedDocument extends StoredDocument {
  /** `notedId` */
  readonly _id: string;
  readonly verifier: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** As the log has signed it. */
  readonly note: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What contradicts the checkpoints of a key: the log itself, or a witness. */
export interface AlarmDocument extends StoredDocument {
  /** `alarmId` */
  readonly _id: string;
  readonly verifier: string;
  readonly reason: string;
  /** The checkpoint that the log contradicts, whoever signed it. */
  readonly contradicted?: { readonly origin: string; readonly size: number; readonly root: string };
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A checkpoint that witnesses were asked to cosign lately. */
export interface CosignedDocument extends StoredDocument {
  /** `notedId` */
  readonly _id: string;
  readonly verifier: string;
  readonly size: number;
  /** With the lines of the witnesses that have cosigned it. */
  readonly note: string;
  /** How many have. */
  readonly witnesses: number;
  /** Milliseconds since 1970 when the next one was offered; null: it is the newest. */
  readonly supersededAt: number | null;
}

/** How far a witness has come. */
export interface WitnessDocument extends StoredDocument {
  /** `witnessId` */
  readonly _id: string;
  /** The verifier key of the log. */
  readonly verifier: string;
  /** Name of the witness. */
  readonly name: string;
  /** Number of events in the checkpoint that it has cosigned last; 0: none. */
  readonly size: number;
  /** Why it does not cosign; null: it does, or was not asked yet. */
  readonly problem: string | null;
}

export const witnessId = (verifier: string, witness: string): string => `${verifier} ${witness}`;

/** Source of the alarm of a log that contradicts its own checkpoints. */
export const LOG_ALARM = 'log';

/** @param source the log, or the witness that says so */
export const alarmIdOf = (verifier: string, source: string): string => `${verifier} ${source}`;

export const notedId = (verifier: string, size: number): string => `${verifier} ${String(size).padStart(16, '0')}`;

export const checkpointCollections: Readonly<Record<string, CollectionSpec>> = {
  [SIGNED]: {},
  [NOTED]: { indexes: [{ keys: { verifier: 1, size: 1 } }] },
  [ALARMS]: { indexes: [{ keys: { verifier: 1 } }] },
  [COSIGNED]: { indexes: [{ keys: { verifier: 1 } }] },
  [WITNESSES]: { indexes: [{ keys: { verifier: 1 } }] },
};

/** Milliseconds that a cosigned checkpoint is served after there is a newer one. */
const SERVED_FOR_MS = 60_000;

/** Tells whether the checkpoint is the newest, or was not long ago. */
export const isRecent = ({ supersededAt }: CosignedDocument, now: number): boolean =>
  supersededAt === null || Math.abs(now - supersededAt) <= SERVED_FOR_MS;

/** The checkpoint with the most cosignatures, and the largest of those. @returns null if none is cosigned */
export const bestCosigned = (checkpoints: readonly CosignedDocument[]): CosignedDocument | null =>
  checkpoints.reduce<CosignedDocument | null>((best, next) => (isBetter(next, best) ? next : best), null);

function isBetter(next: CosignedDocument, best: CosignedDocument | null): boolean {
  if (best === null || next.witnesses !== best.witnesses) return next.witnesses > (best?.witnesses ?? 0);
  return next.size > best.size;
}
