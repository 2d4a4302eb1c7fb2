import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { isFileName } from '../../platform/file-store/checked-name.js';
import type { Measure } from '../../platform/files/measured.js';
import { readIfThere } from '../../platform/files/read-if-there.js';
import { syncFolder } from '../../platform/files/sync-folder.js';
import { writeDurably } from '../../platform/files/write-durably.js';
import type { EventPlace } from '../../platform/kernel/event.js';
import { sha256Of } from '../../platform/kernel/sha256.js';
import type { LogRange } from '../../platform/log/sqlite/log-parts.js';

/** A file of a backup. */
export interface Part extends Measure {
  /** Path in its place. */
  readonly name: string;
}

/**
 * What a backup consists of. It is written last, so that it names whole parts alone; parts of the last backup stay.
 */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** Differs from backup to backup. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Id of the event that created the organization. */
  readonly organization: string;
  readonly log: { readonly newest: EventPlace & { readonly at: string }; readonly parts: readonly (Part & LogRange)[] };
  readonly keys: Part & { readonly count: number };
  /** `name` is the list of the files, a JSON text for each (`ListedFile`). */
  readonly files: Part & { readonly count: number; readonly bytesOfAll: number };
}

/** A file that people have uploaded, in the folder `files` of a backup. */
export interface ListedFile extends Measure {
  readonly id: string;
}

/** The backup cannot be used, or nothing can be backed up there. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

const FORMAT = 1;
const MANIFEST = 'manifest.json';
/** Names in a manifest: none leads out of its place. */
const NAME = /^(?:log\/)?[\w-]+(?:\.[\w-]+)*$/;

/** Reads the manifest; null if there is none. @throws BackupRefused */
export async function readManifest(place: string): Promise<Manifest | null> {
  const path = join(place, MANIFEST);
  const text = await readIfThere(path);
  if (text === null) return null;
  const [manifest, sha256] = parse(text, path);
  if (manifest.format > FORMAT)
    throw new BackupRefused(`${path} was written by a newer version of Annals: use that version`);
  if (sha256 !== sha256Of(JSON.stringify(manifest)))
    throw new BackupRefused(`${path} is changed: its digest is another`);
  return manifest;
}

/** Resolves when the whole manifest is in the place of the one before. */
export const writeManifest = (place: string, manifest: Manifest): Promise<void> =>
  writeDurably(
    join(place, MANIFEST),
    `${JSON.stringify({ ...manifest, sha256: sha256Of(JSON.stringify(manifest)) }, null, 1)}\n`,
  );

export const newManifest = (parts: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...parts });

/** The path of a part. @throws BackupRefused */
export function pathOf(place: string, { name }: Pick<Part, 'name'>): string {
  if (!NAME.test(name)) throw new BackupRefused(`${place} has a manifest with the name ${JSON.stringify(name)}`);
  return join(place, name);
}

function parse(text: string, path: string): readonly [manifest: Manifest, sha256: string] {
  try {
    const { sha256, ...manifest } = JSON.parse(text) as Manifest & { readonly sha256: string };
    return [manifest, sha256];
  } catch (error) {
    throw new BackupRefused(`${path} is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Lists are written in pieces of about so many characters. */
const PIECE = 65_536;

/** Reads a list of files, in bounded memory. @throws BackupRefused */
export async function* listedFiles(path: string): AsyncGenerator<ListedFile> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const file = JSON.parse(line) as ListedFile;
    if (!isFileName(file.id)) throw new BackupRefused(`${path} has a file with the name ${JSON.stringify(file.id)}`);
    yield file;
  }
}

/** Writes a list of files. */
export class FileList {
  private pending = '';
  count = 0;
  bytes = 0;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<FileList> {
    return new FileList(path, await open(path, 'wx', 0o600));
  }

  async add(file: ListedFile): Promise<void> {
    this.count++;
    this.bytes += file.bytes;
    this.pending += `${JSON.stringify(file)}\n`;
    if (this.pending.length > PIECE) await this.flush();
  }

  /** The list is on disk when it resolves. */
  async end(): Promise<void> {
    await this.flush();
    await this.handle.sync();
    await this.close();
    await syncFolder(dirname(this.path));
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async flush(): Promise<void> {
    await this.handle.writeFile(this.pending);
    this.pending = '';
  }
}
