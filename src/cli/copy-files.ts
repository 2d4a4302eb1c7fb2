import type { StoredEvent } from '../event-store/event-store.js';
import type { FileStore } from '../file-store/file-store.js';
import type { FileUploaded } from '../uploads/domain/uploads.events.js';

const UPLOADED: FileUploaded['type'] = 'FileUploaded';

/** Names of the files whose upload the events tell of, whatever has become of them since. */
export const fileIdsIn = (events: readonly StoredEvent[]): string[] =>
  events.flatMap(({ type, data }) => (type === UPLOADED && typeof data.fileId === 'string' ? data.fileId : []));

/**
 * Puts the files that the source has into the target, and takes away those that it has no more. What is there already
 * is left as it is.
 *
 * @returns how many the source has
 * @throws FileStoreUnavailable
 */
export async function copyFiles(from: FileStore, to: FileStore, fileIds: readonly string[]): Promise<number> {
  const gone: string[] = [];
  for (const fileId of fileIds) if (!(await copyFile(from, to, fileId))) gone.push(fileId);
  await to.remove(gone);
  return fileIds.length - gone.length;
}

/** False where the source has no such file. */
async function copyFile(from: FileStore, to: FileStore, fileId: string): Promise<boolean> {
  const original = await from.read(fileId);
  if (!original) return false;
  const copy = await to.read(fileId);
  copy?.content.destroy();
  if (copy?.size === original.size) original.content.destroy();
  else {
    // What is left of a copy that was cut short.
    await to.remove([fileId]);
    await to.receive(fileId, original.content);
  }
  await to.keep(fileId);
  return true;
}
