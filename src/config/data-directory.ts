import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { types } from 'node:util';
import { StartRefused } from '../kernel/start-refused.js';

const { R_OK, W_OK, X_OK } = constants;

/** There may be what is nobody's business here, such as `lost+found`. */
const OURS = /^(?:log|keys)\.|^(?:documents|uploads|outbox)$/;
const DOCUMENTS = 'documents';

/**
 * Makes the folder where there is none, and finds out whether this process may write in it, and what is there already:
 * SQLite opens a file that it may not write for reading, and only the first command would tell.
 *
 * @throws StartRefused, or Error with the code and the path of what is in the way
 */
export async function prepareDataDirectory(path: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, R_OK | W_OK | X_OK);
    // What some file systems are made of, /proc above all, is not for keeping anything, whoever asks.
    const asked = join(path, `.asked-${randomUUID()}`);
    await (await open(asked, 'wx', 0o600)).close();
    await unlink(asked);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new StartRefused(`no files can be kept in ${path}: choose another folder with --data-dir or ANNALS_DATA_DIR`);
  }
  for (const name of await readdir(path)) if (OURS.test(name)) await requireAccess(join(path, name));
  for (const name of await filesIn(join(path, DOCUMENTS))) await requireAccess(join(path, DOCUMENTS, name));
}

/** Not by mkdir's own `recursive`: where the file system knows of no such folder, as under /proc, it tries for ever. */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have made it just now.
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
    // Gone meanwhile: SQLite takes away what it does not need.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

const codeOf = (error: unknown): unknown => (types.isNativeError(error) && 'code' in error ? error.code : undefined);
