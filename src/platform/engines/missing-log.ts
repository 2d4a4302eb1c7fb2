import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartRefused } from '../kernel/start-refused.js';

/**
 * Refuses a data directory without its log. What is there was made from a log that is missing: a new one would have another
 * organization, and its first checkpoints would contradict the signed ones.
 *
 * @param checkpoints the file of checkpoints, which may be elsewhere
 * @throws StartRefused
 */
export async function refuseMissingLog(
  directory: string,
  checkpoints: string = join(directory, 'checkpoints'),
): Promise<void> {
  if (existsSync(join(directory, 'log.sqlite'))) return;
  const left = [
    ...['log.sqlite-wal', 'keys.sqlite'].filter((name) => hasBytes(join(directory, name))),
    ...(hasBytes(checkpoints) ? [nameOf(checkpoints, directory)] : []),
    ...((await hasDocuments(directory)) ? ['documents'] : []),
  ];
  if (left.length === 0) return;
  throw new StartRefused(
    `log.sqlite is missing in ${directory}, and its organization has left ${listed(left)}: restore log.sqlite from its backup. ` +
      'To begin a new organization instead, move what is left away first (docs/operations.md)',
  );
}

const nameOf = (path: string, directory: string): string =>
  path === join(directory, basename(path)) ? basename(path) : path;

const listed = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const hasBytes = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

async function hasDocuments(directory: string): Promise<boolean> {
  const folder = join(directory, 'documents');
  return existsSync(folder) && (await readdir(folder)).some((name) => name.endsWith('.sqlite'));
}
