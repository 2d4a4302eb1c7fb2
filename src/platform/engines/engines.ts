import type { Bus } from '../bus/bus.js';
import type { ContentKeys } from '../content-keys/content-keys.js';
import type { DamagedDocuments, DocumentStore } from '../documents/document-store.js';
import type { FileStore } from '../file-store/file-store.js';
import type { EventStore } from '../log/event-store.js';

/** Addresses of a process's engines, as plain data: a thread or another process opens the same engines from them. */
export interface EngineSettings {
  /** Directory of the embedded log, keys and documents; beside other engines, of the files of one process. */
  readonly dataDirectory: string;
  /** EventStoreDB and MongoDB; absent: embedded. */
  readonly distributed?: DistributedSettings;
}

export interface DistributedSettings {
  /** `esdb://…` or `esdb+discover://…` */
  readonly eventStoreUrl: string;
  /** Prefix of every stream's name in EventStoreDB: one server can hold several organizations. May be empty. */
  readonly streamPrefix: string;
  /** `mongodb://…` or `mongodb+srv://…`; its path names the database. */
  readonly mongodbUrl: string;
}

export interface OpenEngineSettings extends EngineSettings {
  /** Opens the log and the keys for reading only, beside a process that may write them. */
  readonly readOnly?: boolean;
  /** Creates nothing if there is no log. */
  readonly mustExist?: boolean;
  /** The file of checkpoints, if it is not in the data directory: an empty log beside it is refused. */
  readonly checkpointsFile?: string;
  /** Serves clients: documents are written by a thread of their own once there are many writes. */
  readonly isServing?: boolean;
  /** Has damaged files of documents removed, and hears of each: all in them is built, or begun, anew. Not for `readOnly`. */
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
