import { open } from 'node:fs/promises';

/** Makes changes of a folder's entries durable: until then, a crash may undo them. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
