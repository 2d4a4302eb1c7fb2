import type { CollectionSpec, StoredDocument } from '../document-store/document-store.js';
import type { Position } from '../kernel/position.js';

export const PROCESSES_DATABASE = 'processes';

/** What a process does: answers clients, applies projections, or both. */
export type ProcessRole = 'api' | 'projections' | 'both';

/** A process that runs, or did until a moment ago. */
export interface ProcessDocument extends StoredDocument {
  /** New at each start. */
  readonly _id: string;
  readonly role: ProcessRole;
  /** Grows while the process lives. Others watch it grow on their own clocks: no two clocks are ever compared. */
  readonly beat: number;
  /** How far its directory has come; null where it has none. */
  readonly directory: Position | null;
  /** Whether it can keep documents just now; absent where an earlier version of the program says it by its role alone. */
  readonly keeps?: boolean;
}

/** Who may do what only one process may do at a time. */
export interface LeaseDocument extends StoredDocument {
  readonly _id: string;
  /** A process's id; null where it was given back. */
  readonly holder: string | null;
  /** Raised whenever the lease changes hands: what carries an older one is refused. */
  readonly token: number;
}

export const processCollections: Readonly<Record<string, CollectionSpec>> = { processes: {}, leases: {} };
