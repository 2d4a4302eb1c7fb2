import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileOfPackage } from '../../../platform/files/file-of-package.js';

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
  const bytes = await readFile(fileOfPackage('bin/verify.mjs'));
  return { bytes, digest: `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:` };
}
