import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../files/sync-folder.js';

/** How often the removal of a folder is tried again in which a file is being stored. */
const MOST_RETRIES = 3;

/** Files that were derived from others: a folder for each original. */
export class DerivedFiles {
  constructor(private readonly folder: string) {}

  path(name: string, variant: string): string {
    return join(this.folder, name, variant);
  }

  /** Stores a file whole: a crash leaves at most a part under another name. */
  async store(name: string, variant: string, bytes: Uint8Array): Promise<void> {
    const part = this.path(name, `${variant}.${randomUUID()}`);
    await mkdir(join(this.folder, name), { recursive: true, mode: 0o700 });
    await writeFile(part, bytes, { flag: 'wx', mode: 0o600 });
    await rename(part, this.path(name, variant));
  }

  /** Removes all files of the originals, durably. */
  async remove(names: readonly string[]): Promise<void> {
    for (const name of names)
      await rm(join(this.folder, name), { recursive: true, force: true, maxRetries: MOST_RETRIES });
    await syncFolder(this.folder);
  }
}
