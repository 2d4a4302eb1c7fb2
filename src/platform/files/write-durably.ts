import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.js';

/** Writes a file, readable by its owner alone. It is there whole or not at all, and on disk when it resolves. */
export async function writeDurably(file: string, content: string | Buffer): Promise<void> {
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    // The file may be left from an attempt with another mode.
    await handle.chmod(0o600);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}
