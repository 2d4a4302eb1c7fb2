import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which files of a folder, and of those in it, hold one of the texts or byte strings. */
export async function filesWith(directory: string, wanted: readonly Buffer[]): Promise<string[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of files.filter((one) => one.isFile())) {
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path);
    if (wanted.some((one) => bytes.includes(one))) found.push(path.slice(directory.length + 1));
  }
  return found.sort();
}
