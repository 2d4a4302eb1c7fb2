import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Names the files of a folder, and of the folders in it, that hold one of the byte strings. A file that vanishes meanwhile
 * holds none: SQLite removes the files beside a closed database late.
 */
export async function filesWith(directory: string, wanted: readonly Buffer[]): Promise<string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of files.filter((one) => one.isFile())) {
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    });
    if (wanted.some((one) => bytes.includes(one))) found.push(path.slice(directory.length + 1));
  }
  return found.sort();
}
