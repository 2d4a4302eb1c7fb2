import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { types } from 'node:util';
import { StartRefused } from '../kernel/start-refused.js';

const { R_OK, W_OK, X_OK } = constants;

/** Names of Annals' own files; others, such as `lost+found`, may lie beside them. */
const OURS = /^(?:log|keys)\.|^(?:documents|uploads|outbox|remote-pictures|checkpoints)$/;
const DOCUMENTS = 'documents';

/**
 * Creates the folder if it is missing, and checks that this process may write in it and in its files: SQLite opens a
 * file without write permission for reading, and only the first command would fail.
 *
 * @throws StartRefused, or Error with the code and the path of the fault
 */
export async function prepareDataDirectory(path: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, R_OK | W_OK | X_OK);
    // Some file systems, /proc above all, keep no files, whatever the permissions say.
    const probe = join(path, `.asked-${randomUUID()}`);
    await (await open(probe, 'wx', 0o600)).close();
    await unlink(probe);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new StartRefused(`no files can be kept in ${path}: choose another folder with --data-dir or ANNALS_DATA_DIR`);
  }
  for (const name of await readdir(path)) if (OURS.test(name)) await requireAccess(join(path, name));
  for (const name of await filesIn(join(path, DOCUMENTS))) await requireAccess(join(path, DOCUMENTS, name));
}

/** Creates a folder and its parents. The `recursive` option of mkdir tries for ever on file systems such as /proc. */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it just now.
    if (codeOf(error) !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function filesIn(folder: string): Promise<string[]> {
  return (await isFolder(folder)) ? readdir(folder) : [];
}

async function requireAccess(path: string): Promise<void> {
  try {
    await access(path, R_OK | W_OK);
  } catch (error) {
    // The file may be gone meanwhile: SQLite removes files that it does not need.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

const codeOf = (error: unknown): unknown => (types.isNativeError(error) && 'code' in error ? error.code : undefined);
