import { fileURLToPath } from 'node:url';

/**
 * Path of a worker thread's compiled module.
 *
 * @param path from the repository's root, such as `src/platform/log/sqlite/writer.thread.js`
 */
export const threadEntry = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
