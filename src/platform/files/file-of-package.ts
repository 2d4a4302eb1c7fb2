import { existsSync } from 'node:fs';

/**
 * Finds a file in the nearest folder above this one that has it. Sources, compiled files and the bundle differ in depth.
 *
 * @param path such as `package.json`
 */
export function fileOfPackage(path: string): URL {
  const file = foundInPackage(path);
  if (file === null) throw new Error(`${path} is missing`);
  return file;
}

/** Finds a file as `fileOfPackage` does; null if there is none. */
export function foundInPackage(path: string): URL | null {
  for (let folder = new URL('.', import.meta.url); ; ) {
    const file = new URL(path, folder);
    if (existsSync(file)) return file;
    const parent = new URL('..', folder);
    if (parent.href === folder.href) return null;
    folder = parent;
  }
}
