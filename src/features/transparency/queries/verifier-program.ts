import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

interface VerifierProgram {
  readonly bytes: Buffer;
  /** The header `Repr-Digest` (RFC 9530). */
  readonly digest: string;
}

let program: Promise<VerifierProgram> | undefined;

/** Reads `bin/verify.mjs` of this package, once. */
export function verifierProgram(): Promise<VerifierProgram> {
  program ??= read();
  return program;
}

async function read(): Promise<VerifierProgram> {
  // Compiled files lie one folder deeper than sources.
  const root = import.meta.url.includes('/dist/src/') ? '../../../../../' : '../../../../';
  const bytes = await readFile(new URL(`${root}bin/verify.mjs`, import.meta.url));
  return { bytes, digest: `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:` };
}
