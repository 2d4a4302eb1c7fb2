import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileOfPackage } from '../../../platform/files/file-of-package.js';
import { ASKED_AGAIN, ServedFile } from '../../../platform/http/answers/served-file.js';

let program: Promise<ServedFile> | undefined;

/** Reads `bin/verify.mjs` of this package, once. */
export function verifierProgram(): Promise<ServedFile> {
  program ??= read();
  return program;
}

async function read(): Promise<ServedFile> {
  const content = await readFile(fileOfPackage('bin/verify.mjs'));
  // RFC 9530
  const digest = `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;
  return new ServedFile({
    type: 'text/javascript; charset=utf-8',
    headers: { ...ASKED_AGAIN, 'Repr-Digest': digest },
    content,
  });
}
