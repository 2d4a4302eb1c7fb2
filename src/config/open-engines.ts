import { mkdir } from 'node:fs/promises';
import type { ContentKeys } from '../content-keys/content-keys.js';
import { SqliteContentKeys } from '../content-keys/sqlite/sqlite-content-keys.js';
import type { DocumentStore } from '../document-store/document-store.js';
import { SqliteDocumentStore } from '../document-store/sqlite/sqlite-document-store.js';
import type { EventStore } from '../event-store/event-store.js';
import { SqliteEventStore } from '../event-store/sqlite/sqlite-event-store.js';
import { START } from '../kernel/position.js';

/** What a thread or another process needs to open the same engines: plain data. */
export interface EngineSettings {
  readonly dataDirectory: string;
}

export interface Engines {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  readonly documentStore: DocumentStore;
  close(): Promise<void>;
}

/**
 * Opens the engines that the settings name.
 *
 * @param settings `readOnly`: the log and the keys are opened beside whoever writes them, and only for reading.
 * `mustExist`: nothing is made where there is no log
 * @throws LogRefused and the like: nothing is left open
 */
export async function openEngines({
  dataDirectory,
  readOnly = false,
  mustExist = false,
}: EngineSettings & { readonly readOnly?: boolean; readonly mustExist?: boolean }): Promise<Engines> {
  const opened: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const engine of opened.splice(0).reverse()) await engine.close();
  };
  const keep = <T extends { close(): Promise<void> }>(engine: T): T => {
    opened.push(engine);
    return engine;
  };
  try {
    if (mustExist) await (await SqliteEventStore.openReadOnly(dataDirectory)).close();
    if (!readOnly) await mkdir(dataDirectory, { recursive: true });
    // The log first: its lock says whose the data directory is.
    const eventStore = keep(
      await (readOnly ? SqliteEventStore.openReadOnly(dataDirectory) : SqliteEventStore.open(dataDirectory)),
    );
    // Keys made anew would open nothing that the log holds, and the next rebuild would find everybody's words gone.
    const keysMustExist = !readOnly && (await eventStore.head()) > START;
    const contentKeys = keep(
      await (readOnly
        ? SqliteContentKeys.openReadOnly(dataDirectory)
        : SqliteContentKeys.open(dataDirectory, { mustExist: keysMustExist })),
    );
    const documentStore = keep(await SqliteDocumentStore.open(dataDirectory));
    return { eventStore, contentKeys, documentStore, close };
  } catch (error) {
    await close();
    throw error;
  }
}
