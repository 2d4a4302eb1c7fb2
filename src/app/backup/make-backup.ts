import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyKeysFile } from '../../platform/content-keys/sqlite/keys-copy.js';
import type { Engines } from '../../platform/engines/engines.js';
import { syncAndMeasure } from '../../platform/files/measured.js';
import { writeDurably } from '../../platform/files/write-durably.js';
import { type Position, START } from '../../platform/kernel/position.js';
import { isThere } from '../../platform/log/event-store.js';
import { type LogRange, logHead, writeLogPart } from '../../platform/log/sqlite/log-parts.js';
import { ExclusiveLock } from '../../platform/sqlite/open-locked.js';
import { logIdOf } from '../roles/organization-identity.js';
import { backUpFiles, FILES, type FilesBackedUp } from './back-up-files.js';
import {
  BackupRefused,
  listedFiles,
  type Manifest,
  newManifest,
  type Part,
  pathOf,
  readManifest,
  writeManifest,
} from './manifest.js';

export interface BackupPlaces {
  /** Folder of the log, of the files and of the manifest. */
  readonly to: string;
  /** Folder of the keys. */
  readonly keysTo: string;
}

export interface BackupWork {
  readonly dataDirectory: string;
  readonly report: (what: string, done: number, total: number, bytes?: number) => void;
  /** Lets signals have their turn. Rejects to end the work. */
  readonly goOn: () => Promise<void>;
}

interface BackedUp {
  readonly manifest: Manifest;
  /** Events that no earlier backup in the place has. */
  readonly events: number;
  readonly files: FilesBackedUp;
}

const LOG = 'log';
/** Has the id of the place. It is written first: a folder without it is somebody else's. */
const MARKER = 'annals-backup';
/** A part up to this size is written again together with the events after it, so that there are few parts. */
const SMALL_PART = 16 * 1024 * 1024;

/**
 * Makes a backup, or brings the one that is there up to date: events and files that it has are not written again. All of
 * it is as of one moment. A kill at any time leaves the backup of before.
 *
 * @throws BackupRefused if something else is there
 */
export async function makeBackup(engines: Engines, places: BackupPlaces, work: BackupWork): Promise<BackedUp> {
  const placeId = await prepare(places);
  const lock = ExclusiveLock.acquire(join(places.to, 'backup.lock'));
  if (!lock) throw new BackupRefused(`another backup to ${places.to} is being made`);
  try {
    const earlier = await earlierBackup(engines, places);
    const organization = await organizationOf(engines);
    if (earlier !== null && earlier.organization !== organization)
      throw new BackupRefused(`${places.to} has a backup of another organization: choose another folder`);
    return await write({ engines, places, placeId, work, organization }, earlier);
  } finally {
    lock.release();
  }
}

const keysOf = (placeId: string): string => `keys-${placeId.slice(0, 8)}-`;

interface Making {
  readonly engines: Engines;
  readonly places: BackupPlaces;
  readonly placeId: string;
  readonly work: BackupWork;
  readonly organization: string;
}

async function write(making: Making, earlier: Manifest | null): Promise<BackedUp> {
  const { engines, places, placeId, work, organization } = making;
  const id = randomUUID();
  const at = new Date().toISOString();
  work.report('Copying keys', 0, 0);
  const keysName = `${keysOf(placeId)}${id}.sqlite`;
  const keysPath = join(places.keysTo, keysName);
  const { read: head, count } = await copyKeysFile(work.dataDirectory, keysPath, () => logHead(work.dataDirectory));
  const keys = { name: keysName, ...(await syncAndMeasure(keysPath)), count };
  await work.goOn();
  const parts = await writeLog(making, { earlier, head, id });
  const filesName = `files-${id}.jsonl`;
  const files = await backUpFiles(engines, {
    to: places.to,
    head,
    earlier: earlier && pathOf(places.to, earlier.files),
    list: join(places.to, filesName),
    report: (done, total, bytes) => work.report('Copying files', done, total, bytes),
    goOn: work.goOn,
  });
  const list = { name: filesName, ...(await syncAndMeasure(join(places.to, filesName))) };
  const [newest] = (await engines.eventStore.readAll({ after: head - 1, limit: 1 })).events;
  if (newest?.position !== head) throw new BackupRefused(`the log has no event at position ${head}`);
  const { stream, revision, metadata } = newest;
  const manifest = newManifest({
    id,
    at,
    organization,
    log: {
      newest: { id: newest.id, stream, revision, position: head, at: new Date(metadata.at).toISOString() },
      parts,
    },
    keys,
    files: { ...list, count: files.count, bytesOfAll: files.bytesOfAll },
  });
  await work.goOn();
  await writeManifest(places.to, manifest);
  await removeOthers(making, manifest);
  return { manifest, events: head - (earlier?.log.newest.position ?? START), files };
}

/** Writes the events that no part has yet. A small last part is written anew with them. */
async function writeLog(
  { places, work }: Making,
  { earlier, head, id }: { readonly earlier: Manifest | null; readonly head: Position; readonly id: string },
): Promise<readonly (Part & LogRange)[]> {
  const had = earlier?.log.parts ?? [];
  const last = had.at(-1);
  if (last?.through === head) return had;
  const kept = last && last.bytes < SMALL_PART ? had.slice(0, -1) : had;
  const after = kept.at(-1)?.through ?? START;
  const name = `${LOG}/${after + 1}-${head}-${id}.sqlite`;
  const path = join(places.to, name);
  const range = { after, through: head };
  await writeLogPart(work.dataDirectory, path, range, async (position) => {
    work.report('Copying events', position - after, head - after);
    await work.goOn();
  });
  return [...kept, { name, ...range, ...(await syncAndMeasure(path)) }];
}

/** Makes the folders. @returns the id of the place, which marks its keys @throws BackupRefused if something else is there */
async function prepare({ to, keysTo }: BackupPlaces): Promise<string> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const marker = join(to, MARKER);
  const names = await readdir(to);
  if (!names.includes(MARKER)) {
    if (names.length > 0) throw new BackupRefused(`${to} is not empty, and has no backup: choose an empty folder`);
    await writeDurably(marker, `${randomUUID()}\n`);
  }
  for (const folder of [join(to, LOG), join(to, FILES), keysTo]) await mkdir(folder, { recursive: true, mode: 0o700 });
  return (await readFile(marker, 'utf8')).trim();
}

/** @throws BackupRefused if it is a backup of another log, or of what this log was before it was restored */
async function earlierBackup({ eventStore }: Engines, { to }: BackupPlaces): Promise<Manifest | null> {
  const earlier = await readManifest(to);
  if (earlier !== null && !(await isThere(eventStore, earlier.log.newest))) {
    throw new BackupRefused(
      `the backup in ${to} has events that the log lacks: it is of another log, or the log was restored from an older backup. ` +
        'Choose another folder, and keep this one as long as its events may be needed',
    );
  }
  return earlier;
}

/** @throws BackupRefused if the log has no organization yet */
async function organizationOf({ eventStore }: Engines): Promise<string> {
  const id = await logIdOf(eventStore);
  if (id === null) throw new BackupRefused('the log has no organization yet: start the server once');
  return id;
}

/** Removes what an earlier backup, or an attempt that was cut short, has left. Deleted files and destroyed keys go with it. */
async function removeOthers({ places: { to, keysTo }, placeId }: Making, manifest: Manifest): Promise<void> {
  const keep = new Set([manifest.keys.name, manifest.files.name, ...manifest.log.parts.map(({ name }) => name)]);
  await removeFrom(to, (name) => name.startsWith('files-') && !keep.has(name));
  for (const folder of new Set([to, keysTo]))
    await removeFrom(folder, (name) => name.startsWith(keysOf(placeId)) && !keep.has(name));
  await removeFrom(join(to, LOG), (name) => !keep.has(`${LOG}/${name}`));
  const files = new Set<string>();
  for await (const { id } of listedFiles(pathOf(to, manifest.files))) files.add(id);
  await removeFrom(join(to, FILES), (name) => !files.has(name));
}

async function removeFrom(folder: string, isOld: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) if (isOld(name)) await rm(join(folder, name));
}
