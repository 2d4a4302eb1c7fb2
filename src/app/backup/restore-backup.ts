import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupRestored, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { prepareDataDirectory } from '../../platform/engines/data-directory.js';
import { isMissing } from '../../platform/files/is-missing.js';
import { type Measure, measureOf, syncAndMeasure, writeMeasured } from '../../platform/files/measured.js';
import { readIfThere } from '../../platform/files/read-if-there.js';
import { syncFolder } from '../../platform/files/sync-folder.js';
import { writeDurably } from '../../platform/files/write-durably.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { addLogPart } from '../../platform/log/sqlite/log-parts.js';
import { openLocked } from '../../platform/sqlite/open-locked.js';
import { inOrganization } from '../cli/open-organization.js';
import { endQueues } from '../roles/earlier-lineage.js';
import { logIdOf } from '../roles/organization-identity.js';
import { openCodec } from '../roles/skipped-events.js';
import { FILES } from './back-up-files.js';
import type { BackupAt } from './check-backup.js';
import type { BackupWork } from './make-backup.js';
import { BackupRefused, listedFiles, type Manifest, pathOf } from './manifest.js';

interface Restored {
  /** Event queues that have ended. */
  readonly queues: number;
}

/** Folder of the data directory in which everything is made before any of it is put into its place. */
const STAGING = 'restoring';
/** File of the folder that is there from when all of it is made: it has the id of the backup. */
const READY = 'ready';
/** In the order in which they are put into their place. A log without keys is never there. */
const PLACED = ['uploads', 'keys.sqlite', 'log.sqlite'];
const IN_THE_WAY = /^(?:log|keys)\.sqlite(?:-wal)?$/;

/**
 * Puts a backup into a data directory that has no log, no keys and no uploaded files. Everything is compared with the
 * manifest. A kill leaves nothing that a server would start with, or everything: the same command again goes on.
 *
 * @throws BackupRefused if there is a log, or a part is missing or changed
 */
export async function restoreBackup(at: BackupAt, manifest: Manifest, work: BackupWork): Promise<Restored> {
  await prepareDataDirectory(work.dataDirectory);
  const unlock = openLocked(join(work.dataDirectory, 'log.lock'), 'log', (free) => free);
  try {
    const staging = join(work.dataDirectory, STAGING);
    const made = await madeBefore(staging, manifest);
    if (made === null) await refuseIfThere(work.dataDirectory);
    const restored = made ?? (await makeOrRemove(staging, () => make(staging, at, manifest, work)));
    for (const name of PLACED) await place(name, staging, work.dataDirectory);
    await syncFolder(work.dataDirectory);
    await rm(staging, { recursive: true });
    return restored;
  } finally {
    unlock();
  }
}

/** Leaves no copies of keys behind if it fails. */
async function makeOrRemove(staging: string, work: () => Promise<Restored>): Promise<Restored> {
  try {
    return await work();
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

async function make(staging: string, at: BackupAt, manifest: Manifest, work: BackupWork): Promise<Restored> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(join(staging, 'uploads'), { recursive: true, mode: 0o700 });
  await copied(pathOf(at.keysFrom, manifest.keys), join(staging, 'keys.sqlite'), manifest.keys);
  for (const part of manifest.log.parts) {
    const path = pathOf(at.from, part);
    refuseIfOther(path, await measureOf(read(path)), part);
    await addLogPart(staging, path, part, async (position) => {
      work.report('Restoring events', position, manifest.log.newest.position);
      await work.goOn();
    });
  }
  await restoreFiles(staging, at, manifest, work);
  const restored = { queues: await mark(staging, manifest) };
  await syncAndMeasure(join(staging, 'log.sqlite'));
  await writeDurably(join(staging, READY), `${JSON.stringify({ id: manifest.id, ...restored })}\n`);
  return restored;
}

async function restoreFiles(staging: string, at: BackupAt, manifest: Manifest, work: BackupWork): Promise<void> {
  const list = pathOf(at.from, manifest.files);
  refuseIfOther(list, await measureOf(read(list)), manifest.files);
  const uploads = join(staging, 'uploads');
  let [done, bytes] = [0, 0];
  for await (const file of listedFiles(list)) {
    await copied(join(at.from, FILES, file.id), join(uploads, file.id), file);
    bytes += file.bytes;
    work.report('Restoring files', ++done, manifest.files.count, bytes);
    await work.goOn();
  }
  await syncFolder(uploads);
}

/** Says in the log that it was restored, and ends the event queues: their clients may have got events that the log lacks. */
async function mark(staging: string, manifest: Manifest): Promise<number> {
  return inOrganization({ dataDirectory: staging }, async (engines) => {
    const { eventStore, contentKeys } = engines;
    if ((await logIdOf(eventStore)) !== manifest.organization)
      throw new BackupRefused('the log in the backup is of another organization');
    const runner = new CommandRunner(eventStore, contentKeys, await openCodec({ eventStore, contentKeys }));
    const { id, at, log } = manifest;
    const data = { backup: id, madeAt: Date.parse(at), events: log.newest.position };
    const event: BackupRestored = { type: 'BackupRestored', data };
    await runner.report(TRANSPARENCY_STREAM, event, { actorId: null, client: 'annals', correlationId: newEventId() });
    return await endQueues(runner);
  });
}

async function copied(from: string, to: string, recorded: Measure): Promise<void> {
  refuseIfOther(from, await writeMeasured(to, read(from)), recorded);
}

/** @throws BackupRefused if the part is missing */
async function* read(path: string): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> = createReadStream(path);
  try {
    yield* chunks;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new BackupRefused(`${path} is missing: --keys-from names the folder of the keys, if that is another one`);
  }
}

function refuseIfOther(path: string, { bytes, sha256 }: Measure, recorded: Measure): void {
  if (bytes !== recorded.bytes || sha256 !== recorded.sha256)
    throw new BackupRefused(
      `${path} is not the one that the backup was made with: it was changed, or is of another backup`,
    );
}

/** What was made before the command was cut short; null: not all of it. @throws BackupRefused if it is of another backup */
async function madeBefore(staging: string, manifest: Manifest): Promise<Restored | null> {
  const text = await readIfThere(join(staging, READY));
  if (text === null) return null;
  const { id, queues } = JSON.parse(text) as Restored & Pick<Manifest, 'id'>;
  if (id === manifest.id) return { queues };
  throw new BackupRefused(`${staging} has the rest of another restore: run that command again, or remove the folder`);
}

async function refuseIfThere(dataDirectory: string): Promise<void> {
  const names = await readdir(dataDirectory);
  const uploads = names.includes('uploads')
    ? await readdir(join(dataDirectory, 'uploads'), { withFileTypes: true })
    : [];
  const found =
    names.find((name) => IN_THE_WAY.test(name)) ?? (uploads.some((entry) => entry.isFile()) ? 'uploads' : null);
  if (found !== null)
    throw new BackupRefused(
      `${dataDirectory} has ${found}: move log.sqlite*, keys.sqlite* and the folder uploads away first, and leave the rest where it is`,
    );
}

async function place(name: string, staging: string, dataDirectory: string): Promise<void> {
  if (!(await readdir(staging)).includes(name)) return;
  // A folder without files may be there.
  if (name === 'uploads') await rm(join(dataDirectory, name), { recursive: true, force: true });
  await rename(join(staging, name), join(dataDirectory, name));
  await syncFolder(dataDirectory);
}
