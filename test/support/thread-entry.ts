import { compiled } from '../../scripts/transpile.js';

/** Replaces `src/platform/threads/thread-entry.ts`: Jest compiles in memory, and threads load modules from disk. */
export const threadEntry = (path: string): string => compiled(path);
