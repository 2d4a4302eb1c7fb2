import { open } from 'node:fs/promises';

/** Until this, a crash may undo what was made, renamed or removed in a folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
