import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.js';

export interface Document {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export const document = (path: string): Document => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

/** What people read about the repository, except the changelog. */
export const documents: readonly Document[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map(document);
