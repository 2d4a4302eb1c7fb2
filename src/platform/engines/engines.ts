import type { Bus } from '../bus/bus.js';
import type { ContentKeys } from '../content-keys/content-keys.js';
import type { DamagedDocuments, DocumentStore } from '../documents/document-store.js';
import type { FileStore } from '../file-store/file-store.js';
import type { EventStore } from '../log/event-store.js';
import type { EngineSettings } from './engine-settings.js';

export interface OpenEngineSettings extends EngineSettings {
  /** Opens the log and the keys for reading only, beside a process that may write them. */
  readonly readOnly?: boolean;
  /** Creates nothing if there is no log. */
  readonly mustExist?: boolean;
  /** The file of checkpoints, if it is not in the data directory: an empty log beside it is refused. */
  readonly checkpointsFile?: string;
  /** Serves clients: documents are written by a thread of their own once there are many writes. */
  readonly isServing?: boolean;
  /** Has damaged files of documents removed, and hears of each: everything in them is built, or begun, anew. Not for `readOnly`. */
  readonly onDamaged?: (damaged: DamagedDocuments) => void;
}

export interface Engines {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  /** Files that people have uploaded. */
  readonly fileStore: FileStore;
  readonly documentStore: DocumentStore;
  /** The same documents for projections and for the state of processes. They wait behind no request of clients. */
  readonly projectionStore: DocumentStore;
  readonly bus: Bus;
  close(): Promise<void>;
}
