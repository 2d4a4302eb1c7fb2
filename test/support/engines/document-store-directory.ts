import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a directory for one store. */
export function scratchDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'annals-documents-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
