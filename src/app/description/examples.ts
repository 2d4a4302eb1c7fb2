import { readFileSync } from 'node:fs';
import { fileOfPackage } from '../../platform/files/file-of-package.js';

/** A request that was made, and its answer. */
export interface Example {
  /** Parameters of the query or the body. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
}

/** Reads the examples, which `UPDATE_DOCS=1 npm test -- examples` records: by `METHOD /path`. */
export const examples = (): Readonly<Record<string, Example>> =>
  JSON.parse(readFileSync(fileOfPackage('published/examples.json'), 'utf8'));
