import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.js';

/** What tells whether a file has changed. */
export interface Measure {
  readonly bytes: number;
  /** Of the bytes, hexadecimal. */
  readonly sha256: string;
}

/** Reads bytes to their end, in bounded memory. */
export async function measureOf(
  content: AsyncIterable<Uint8Array>,
  each: (chunk: Uint8Array) => Promise<unknown> = async () => {},
): Promise<Measure> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
    await each(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Makes a file that others wrote durable, and measures it. */
export async function syncAndMeasure(path: string): Promise<Measure> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(path));
  return measureOf(createReadStream(path));
}

/**
 * Writes a file, readable by its owner alone, and measures it. Under its name it is there whole or not at all. The folder
 * is not synced: its caller does that once for many files.
 */
export async function writeMeasured(path: string, content: AsyncIterable<Uint8Array>): Promise<Measure> {
  const unfinished = `${path}.new`;
  const handle = await open(unfinished, 'w', 0o600);
  let measure: Measure;
  try {
    measure = await measureOf(content, (chunk) => handle.writeFile(chunk));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, path);
  return measure;
}
