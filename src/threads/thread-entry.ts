import { fileURLToPath } from 'node:url';

/**
 * Where a worker thread's compiled module lies. A thread is started by Node itself, so where this code runs from its
 * TypeScript sources (tests) the thread runs from `dist`, which `npm test` builds first.
 *
 * @param path from the repository's root, such as `src/event-store/sqlite/writer.thread.js`
 */
export function threadEntry(path: string): string {
  const here = import.meta.url;
  const root = here.endsWith('.ts') ? '../../dist/' : '../../';
  return fileURLToPath(new URL(root + path, here));
}
