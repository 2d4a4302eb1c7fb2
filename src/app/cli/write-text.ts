import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes a text, and waits while its reader is slow. */
export async function writeText(file: Writable, text: string): Promise<void> {
  if (!file.write(text)) await once(file, 'drain');
}
