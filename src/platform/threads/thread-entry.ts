import { fileURLToPath } from 'node:url';
import { fileOfPackage } from '../files/file-of-package.js';

/**
 * Path of a worker thread's compiled module.
 *
 * @param path from the repository's root, such as `src/platform/log/sqlite/writer.thread.js`
 */
export const threadEntry = (path: string): string => fileURLToPath(fileOfPackage(path));
