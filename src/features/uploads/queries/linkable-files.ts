import type { UserRecord } from '../../../directory/directory.records.js';
import type { Facts } from '../../../directory/facts.js';
import type { LinkableFile } from '../../markdown/content-facts.js';
import { filesNamedIn, pathIdOf } from '../domain/file-path.js';
import { filesNamed, mayHaveFile } from './readable-files.js';

/**
 * Finds the files that a text links to and that its writer may read, by `pathIdOf`. Another link gives no access.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function linkableFiles(
  text: string,
  writer: UserRecord,
  facts: Facts,
): Promise<ReadonlyMap<string, LinkableFile>> {
  const linkable = new Map<string, LinkableFile>();
  for (const file of await filesNamed(filesNamedIn(text), facts.readModels)) {
    const { _id: id, folder, fileId, pathName, contentType, picture } = file;
    if (pathName === null || contentType === null || !(await mayHaveFile(writer, file, facts))) continue;
    linkable.set(pathIdOf({ folder, fileId, pathName }), {
      id,
      contentType,
      ...(picture !== undefined && { picture }),
    });
  }
  return linkable;
}
