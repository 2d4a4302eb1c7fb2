import { type Measure, measureOf } from '../files/measured.js';
import type { FileMeasure } from '../kernel/event-definition.js';
import type { StoredFile } from './file-store.js';

/** Tells how a file's size differs from the recorded one; null: it does not, or no size is recorded. */
const sizeDifference = (size: number, recorded: FileMeasure): string | null =>
  recorded.size === null || size === recorded.size ? null : `it has ${size} bytes instead of ${recorded.size}`;

/**
 * Reads a whole file, in bounded memory, and compares it with what an event records of its bytes.
 *
 * @returns how it differs; null: it does not, as far as size and digest are recorded
 */
export async function fileDifference({ size, content }: StoredFile, recorded: FileMeasure): Promise<string | null> {
  const other = sizeDifference(size, recorded);
  if (other !== null) {
    content.destroy();
    return other;
  }
  let found: Measure;
  try {
    found = await measureOf(content);
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  // A part of the file may be missing from the store, or be added while it is read.
  return (
    differenceOf(found, recorded) ?? (found.bytes === size ? null : `it has ${found.bytes} bytes instead of ${size}`)
  );
}

/** Tells how bytes differ from what an event records of them; null: they do not. */
export function differenceOf({ bytes, sha256 }: Measure, recorded: FileMeasure): string | null {
  if (recorded.sha256 !== null && sha256 !== recorded.sha256)
    return `its SHA-256 is ${sha256} instead of ${recorded.sha256}`;
  return sizeDifference(bytes, recorded);
}
