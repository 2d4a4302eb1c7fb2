import type { CollectionSpec, StoredDocument } from '../documents/document-store.js';

/** The database of checkpoints that were signed. It is no part of what is made from the log: it outlives another log. */
export const CHECKPOINTS_DATABASE = 'checkpoints';
export const SIGNED = 'signed';
export const NOTED = 'noted';
export const ALARMS = 'alarms';

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

/** Why checkpoints are not signed with a key. */
export interface AlarmDocument extends StoredDocument {
  /** `alarmId` */
  readonly _id: string;
  readonly verifier: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const notedId = (verifier: string, size: number): string => `${verifier} ${String(size).padStart(16, '0')}`;

export const checkpointCollections: Readonly<Record<string, CollectionSpec>> = {
  [SIGNED]: {},
  [NOTED]: { indexes: [{ keys: { verifier: 1, size: 1 } }] },
  [ALARMS]: { indexes: [{ keys: { verifier: 1 } }] },
};
