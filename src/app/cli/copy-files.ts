import { eventRegistry } from '../../events/event-registry.js';
import type { FileStore } from '../../platform/file-store/file-store.js';
import type { StoredEvent } from '../../platform/log/event-store.js';

/** Lists the files that the events report as stored, even if they were deleted since. */
export const fileIdsIn = (events: readonly StoredEvent[]): string[] =>
  events
    .flatMap(({ type, data }) => (eventRegistry.get(type)?.files ?? []).map((field) => data[field]))
    .filter((fileId) => typeof fileId === 'string');

/**
 * Copies files of the source into the target, and removes files that the source lacks. Files that the target has
 * already are left alone.
 *
 * @returns the number of files that the source has
 * @throws FileStoreUnavailable
 */
export async function copyFiles(from: FileStore, to: FileStore, fileIds: readonly string[]): Promise<number> {
  const missing: string[] = [];
  for (const fileId of fileIds) if (!(await copyFile(from, to, fileId))) missing.push(fileId);
  await to.remove(missing);
  return fileIds.length - missing.length;
}

/** Copies a file; false if the source lacks it. */
async function copyFile(from: FileStore, to: FileStore, fileId: string): Promise<boolean> {
  const original = await from.read(fileId);
  if (!original) return false;
  const copy = await to.read(fileId);
  copy?.content.destroy();
  if (copy?.size === original.size) original.content.destroy();
  else {
    // The target may have the rest of a copy that was cut short.
    await to.remove([fileId]);
    await to.receive(fileId, original.content);
  }
  await to.commit(fileId);
  return true;
}
