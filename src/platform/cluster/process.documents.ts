import type { CollectionSpec, StoredDocument } from '../documents/document-store.js';
import type { Position } from '../kernel/position.js';

export const PROCESSES_DATABASE = 'processes';

/** The work of a process: answers clients, applies projections, or both. */
export type ProcessRole = 'api' | 'projections' | 'both';

/** A process that runs, or ran a moment ago. */
export interface ProcessDocument extends StoredDocument {
  /** New at each start. */
  readonly _id: string;
  readonly role: ProcessRole;
  /** Grows while the process lives. Other processes time its growth on their own clocks: no two clocks are compared. */
  readonly beat: number;
  /** Position of its directory; null if it has none. */
  readonly directory: Position | null;
  /** Whether it can keep documents now. Absent in documents of earlier versions: the role tells. */
  readonly keeps?: boolean;
}

/** The process that may do work which one process does at a time. */
export interface LeaseDocument extends StoredDocument {
  readonly _id: string;
  /** A process's id; null after the lease was given back. */
  readonly holder: string | null;
  /** Raised whenever the lease changes hands: writes under an older token are refused. */
  readonly token: number;
}

export const processCollections: Readonly<Record<string, CollectionSpec>> = { processes: {}, leases: {} };
