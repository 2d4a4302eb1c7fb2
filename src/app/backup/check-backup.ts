import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../platform/files/is-missing.js';
import { type Measure, measureOf } from '../../platform/files/measured.js';
import { type Position, START } from '../../platform/kernel/position.js';
import { FILES } from './back-up-files.js';
import { BackupRefused, listedFiles, type Manifest, pathOf, readManifest } from './manifest.js';

/** Where the parts of a backup are. */
export interface BackupAt {
  readonly from: string;
  readonly keysFrom: string;
}

interface CheckWork {
  /** Called after each part, with the bytes that were read. */
  readonly checked: (bytes: number) => void;
  /** Lets signals have their turn. Rejects to end the work. */
  readonly goOn: () => Promise<void>;
}

/** @throws BackupRefused if there is none */
export async function manifestAt({ from }: BackupAt): Promise<Manifest> {
  const manifest = await readManifest(from);
  if (manifest === null) throw new BackupRefused(`${from} has no backup: there is no manifest.json`);
  let after: Position = START;
  for (const part of manifest.log.parts) {
    if (part.after !== after)
      throw new BackupRefused(`the manifest in ${from} lacks the events after position ${after}`);
    after = part.through;
  }
  if (after !== manifest.log.newest.position)
    throw new BackupRefused(`the manifest in ${from} lacks the events after position ${after}`);
  return manifest;
}

/** Reads all of a backup. @returns a sentence for each part that is missing or changed */
export async function checkBackup(at: BackupAt, manifest: Manifest, { checked, goOn }: CheckWork): Promise<string[]> {
  const faults: string[] = [];
  for (const part of manifest.log.parts) await check(part.name, pathOf(at.from, part), part);
  await check(manifest.keys.name, pathOf(at.keysFrom, manifest.keys), manifest.keys);
  const list = pathOf(at.from, manifest.files);
  // A changed list may name anything.
  if (!(await check(manifest.files.name, list, manifest.files))) return faults;
  for await (const file of listedFiles(list)) await check(`${FILES}/${file.id}`, join(at.from, FILES, file.id), file);
  return faults;

  async function check(name: string, path: string, recorded: Measure): Promise<boolean> {
    const fault = await faultOf(path, recorded);
    if (fault !== null) faults.push(`${fault}: ${name}`);
    checked(recorded.bytes);
    await goOn();
    return fault === null;
  }
}

async function faultOf(path: string, recorded: Measure): Promise<string | null> {
  try {
    const { bytes, sha256 } = await measureOf(createReadStream(path));
    return bytes === recorded.bytes && sha256 === recorded.sha256 ? null : 'changed';
  } catch (error) {
    if (isMissing(error)) return 'missing';
    return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}
