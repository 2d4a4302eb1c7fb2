import { compiled } from '../../scripts/transpile.js';

/** Stands in for `src/platform/threads/thread-entry.ts`: Jest compiles in memory, where Node finds no thread's module. */
export const threadEntry = (path: string): string => compiled(path);
