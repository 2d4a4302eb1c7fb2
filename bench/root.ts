import { fileURLToPath } from 'node:url';

/** The repository, as seen from `dist/bench`, where the compiled bench runs. */
const ROOT = new URL('../../', import.meta.url);

/** Resolves a path from the repository's root. */
export const inRepository = (path: string) => fileURLToPath(new URL(path, ROOT));
