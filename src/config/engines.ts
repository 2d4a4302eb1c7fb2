import type { Bus } from '../bus/bus.js';
import type { ContentKeys } from '../content-keys/content-keys.js';
import type { DocumentStore } from '../document-store/document-store.js';
import type { EventStore } from '../event-store/event-store.js';
import type { FileStore } from '../file-store/file-store.js';
import type { EngineSettings } from './engine-settings.js';

export interface OpenEngineSettings extends EngineSettings {
  /** The log and the keys are opened beside whoever writes them, and only for reading. */
  readonly readOnly?: boolean;
  /** Nothing is made where there is no log. */
  readonly mustExist?: boolean;
}

export interface Engines {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  /** What people have uploaded. */
  readonly fileStore: FileStore;
  readonly documentStore: DocumentStore;
  /**
   * The same documents, for who keeps them, and for what processes tell of themselves: it waits behind nothing that
   * clients ask for.
   */
  readonly projectionStore: DocumentStore;
  readonly bus: Bus;
  close(): Promise<void>;
}
