import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { filesNamedIn, pathIdOf } from '../domain/file-path.js';
import { filesNamed, mayHaveFile } from './readable-files.js';

/**
 * Finds the files that a text links to and that its writer may read, by `pathIdOf`. A link to another file gives no access.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function linkableFiles(
  text: string,
  writer: UserRecord,
  directory: Directory,
  readModels: ReadModels,
): Promise<ReadonlyMap<string, number>> {
  const linkable = new Map<string, number>();
  for (const file of await filesNamed(filesNamedIn(text), readModels)) {
    const { _id, fileId, pathName } = file;
    if (pathName === null || !(await mayHaveFile(writer, file, directory, readModels))) continue;
    linkable.set(pathIdOf({ fileId, pathName }), _id);
  }
  return linkable;
}
