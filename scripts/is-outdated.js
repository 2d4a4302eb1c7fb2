// @ts-check
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Newest change of a file, or of anything in a folder; a removed file counts as a change of its folder.
 *
 * @param {string} path @returns {number}
 */
function changedAt(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/**
 * Tells whether a file that is made of sources is missing, or older than one of them.
 *
 * @param {string} made @param {readonly string[]} sources files and folders
 */
export const isOutdated = (made, sources) =>
  !existsSync(made) || statSync(made).mtimeMs < Math.max(...sources.map(changedAt));
