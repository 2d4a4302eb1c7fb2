import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  PROCESSES_DATABASE,
  type ProcessDocument,
  processCollections,
} from '../../platform/cluster/process.documents.js';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import { inDatabase } from '../../platform/documents/in-database.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { openEngines } from '../../platform/engines/open-engines.js';
import { START } from '../../platform/kernel/position.js';
import { LogRefused } from '../../platform/log/event-store.js';
import { type Config, engineSettingsOf } from '../config/config.js';
import { OrganizationIdentity } from '../roles/organization-identity.js';
import { CopyRefused, UsageError } from './failure.js';
import { closedIfRefused } from './open-organization.js';

const DISTRIBUTED = 'distributed';

/** A source or target of a copy. */
export interface CopyPlace {
  /** Name for the operator; never a URL. */
  readonly name: string;
  readonly settings: EngineSettings;
}

/** Time in which a running process raises its number twice. */
const TWO_BEATS_MS = 1000;
const MOST_PROCESSES = 1000;

/**
 * @param word the path of a data folder, or `distributed`
 * @throws UsageError
 */
export function placeNamed(word: string, config: Config): CopyPlace {
  if (word.trim() === '') throw new UsageError('a place is the path of a data folder, or the word distributed');
  if (word !== DISTRIBUTED) {
    const dataDirectory = resolve(word);
    return { name: dataDirectory, settings: { dataDirectory } };
  }
  const settings = engineSettingsOf(config);
  if (!settings.distributed) throw new UsageError('distributed is what EVENTSTORE_URL and MONGODB_URL name: set both');
  return { name: DISTRIBUTED, settings };
}

/** @throws UsageError if both are the same */
export async function checkApart(from: CopyPlace, to: CopyPlace): Promise<void> {
  const [here, there] = await Promise.all([identity(from), identity(to)]);
  if (here === there) throw new UsageError(`--from and --to both name ${from.name}: a log is copied to another place`);
}

async function identity({ name, settings }: CopyPlace): Promise<string> {
  if (settings.distributed) return name;
  // A folder that does not exist yet is the target.
  return realpath(settings.dataDirectory).catch(() => settings.dataDirectory);
}

/** Opens an existing log, so that no other process writes meanwhile. @throws CopyRefused, StartRefused */
export async function openSource(place: CopyPlace): Promise<Engines> {
  const engines = await open(place, { mustExist: true });
  return closedIfRefused(engines, async () => {
    await refuseRunning(engines.documentStore, place);
    await new OrganizationIdentity(engines, place.settings).checkDocuments();
  });
}

/** Opens a target; creates it if it is missing. @throws CopyRefused, StartRefused */
export async function openTarget(place: CopyPlace): Promise<Engines> {
  const engines = await open(place, { mustExist: false });
  return closedIfRefused(engines, async () => {
    await refuseRunning(engines.documentStore, place);
    if ((await engines.eventStore.head()) === START) await refuseDocuments(engines.documentStore, place);
    await new OrganizationIdentity(engines, place.settings).checkDocuments();
  });
}

async function open({ name, settings }: CopyPlace, options: { readonly mustExist: boolean }): Promise<Engines> {
  try {
    return await openEngines({ ...settings, ...options });
  } catch (error) {
    if (!(error instanceof LogRefused) || error.reason !== 'locked') throw error;
    throw new CopyRefused(`${name} is in use: stop the server, or the copy, that runs on it, and copy again`);
  }
}

/**
 * Refuses running processes. On shared engines they hold no lock on the log, but each raises a number while it lives.
 */
async function refuseRunning(documents: DocumentStore, { name, settings }: CopyPlace): Promise<void> {
  if (!settings.distributed) return;
  await inDatabase(documents, PROCESSES_DATABASE, processCollections, async (database) => {
    const beats = async (): Promise<ReadonlyMap<string, number>> => {
      const processes = database.collection<ProcessDocument>('processes');
      const found = await processes.find({}, { sort: { _id: 1 }, limit: MOST_PROCESSES });
      return new Map(found.map(({ _id, beat }) => [_id, beat]));
    };
    const before = await beats();
    if (before.size === 0) return;
    await pause(TWO_BEATS_MS);
    const alive = [...(await beats())].filter(([id, beat]) => before.get(id) !== beat).length;
    if (alive === 0) return;
    const processes = alive === 1 ? '1 process runs' : `${alive} processes run`;
    throw new CopyRefused(`${processes} on the ${name} engines: stop all processes, and copy again`);
  });
}

/** Refuses existing documents: they would pass for those of the copied log, by the positions of their checkpoints. */
async function refuseDocuments(documents: DocumentStore, { name, settings }: CopyPlace): Promise<void> {
  const found = (await documents.checkpoints()).map(({ database }) => database);
  if (found.length === 0) return;
  const where = settings.distributed ? 'use an empty database' : 'delete its folder documents';
  throw new CopyRefused(`${name} holds no events, but documents of another log (${found.join(', ')}): ${where}`);
}
