import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { InProcessBus } from '../bus/in-process/in-process-bus.js';
import { SqliteContentKeys } from '../content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../documents/sqlite/sqlite-document-store.js';
import { DiskFileStore } from '../file-store/disk/disk-file-store.js';
import { Closers } from '../kernel/closers.js';
import { START } from '../kernel/position.js';
import { StartRefused } from '../kernel/start-refused.js';
import { SqliteEventStore } from '../log/sqlite/sqlite-event-store.js';
import { prepareDataDirectory } from './data-directory.js';
import type { Engines, OpenEngineSettings } from './engines.js';

/** Writes of documents, of which a send makes about five. */
const THREAD_AFTER = 500;

/**
 * Opens the engines that the settings name.
 *
 * @param settings `readOnly`: the log and the keys are opened for reading only, beside a process that may write them.
 * `mustExist`: nothing is created if there is no log
 * @throws LogRefused and the like: nothing is left open
 */
export async function openEngines(settings: OpenEngineSettings): Promise<Engines> {
  const { distributed, readOnly = false, mustExist = false } = settings;
  if (!distributed) return openEmbedded(settings);
  // Loads the drivers of servers only if they are used.
  const { openDistributed } = await import('./open-distributed.js');
  return openDistributed(distributed, { readOnly, mustExist });
}

async function openEmbedded({
  dataDirectory,
  readOnly = false,
  mustExist = false,
  checkpointsFile,
  onDamaged,
  isServing = false,
}: OpenEngineSettings): Promise<Engines> {
  const closers = new Closers();
  try {
    await refuseMissingLog(dataDirectory, checkpointsFile);
    if (mustExist) await (await SqliteEventStore.openReadOnly(dataDirectory)).close();
    if (!readOnly) await prepareDataDirectory(dataDirectory);
    // The log comes first: its lock decides whose the data directory is.
    const eventStore = closers.own(
      await (readOnly ? SqliteEventStore.openReadOnly(dataDirectory) : SqliteEventStore.open(dataDirectory)),
    );
    // New keys would open nothing in the log, and the next rebuild would find all content erased.
    const keysMustExist = !readOnly && (await eventStore.head()) > START;
    // The keys' thread starts while this one looks through the documents.
    const openingKeys = readOnly
      ? SqliteContentKeys.openReadOnly(dataDirectory)
      : SqliteContentKeys.open(dataDirectory, { mustExist: keysMustExist });
    // Only the owner of the data directory may remove files, and a start without its keys is refused.
    const openingDocuments = SqliteDocumentStore.open(dataDirectory, {
      ...(onDamaged && !readOnly && { onDamaged, removesAfter: openingKeys }),
      ...(isServing && { threadAfter: THREAD_AFTER }),
    });
    const [keys, documents] = await Promise.allSettled([openingKeys, openingDocuments]);
    if (documents.status === 'fulfilled') closers.own(documents.value);
    if (keys.status === 'rejected') throw keys.reason;
    const contentKeys = closers.own(keys.value);
    if (documents.status === 'rejected') throw documents.reason;
    const documentStore = documents.value;
    const fileStore = closers.own(
      readOnly ? DiskFileStore.beside(dataDirectory) : await DiskFileStore.open(dataDirectory),
    );
    const bus = closers.own(new InProcessBus());
    return {
      eventStore,
      contentKeys,
      fileStore,
      documentStore,
      projectionStore: documentStore,
      bus,
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/**
 * Refuses a data directory without its log. What is there was made from a log that is missing: a new one would have
 * another organization, and its first checkpoints would contradict the signed ones.
 *
 * @param checkpoints the file of checkpoints, which may be elsewhere
 * @throws StartRefused
 */
async function refuseMissingLog(
  directory: string,
  checkpoints: string = join(directory, 'checkpoints'),
): Promise<void> {
  if (existsSync(join(directory, 'log.sqlite'))) return;
  const left = [
    ...['log.sqlite-wal', 'keys.sqlite'].filter((name) => hasBytes(join(directory, name))),
    ...(hasBytes(checkpoints) ? [nameOf(checkpoints, directory)] : []),
    ...((await hasDocuments(directory)) ? ['documents'] : []),
  ];
  if (left.length === 0) return;
  throw new StartRefused(
    `log.sqlite is missing in ${directory}, and its organization has left ${listed(left)}: restore log.sqlite from its backup. ` +
      'To begin a new organization instead, move what is left away first (docs/operations.md)',
  );
}

const nameOf = (path: string, directory: string): string =>
  path === join(directory, basename(path)) ? basename(path) : path;

const listed = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const hasBytes = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

async function hasDocuments(directory: string): Promise<boolean> {
  const folder = join(directory, 'documents');
  return existsSync(folder) && (await readdir(folder)).some((name) => name.endsWith('.sqlite'));
}
