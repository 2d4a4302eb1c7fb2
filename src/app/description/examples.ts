import { readFileSync } from 'node:fs';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import type { Example } from '../../platform/http/openapi/described-api.js';

/** Reads the examples, which `UPDATE_DOCS=1 npm test -- examples` records: by `METHOD /path`. */
export const examples = (): Readonly<Record<string, Example>> =>
  JSON.parse(readFileSync(fileOfPackage('published/examples.json'), 'utf8'));
