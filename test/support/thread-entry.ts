import { bundled } from '../../scripts/bundle.js';

/** Replaces `src/platform/threads/thread-entry.ts`: Jest compiles in memory, and threads load modules from disk. */
export const threadEntry = (path: string): string => bundled(path);
