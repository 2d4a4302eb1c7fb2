import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/**
 * Reads the lines of a stream, without their ends; text after the last end is no line. Leaves the stream open if the
 * caller stops early; ends without an error if the stream breaks or a line is longer than `longest` characters.
 */
export async function* linesOf(stream: Readable, longest = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  let rest = '';
  stream.setEncoding('utf8');
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > longest) return;
    }
  } catch (error) {
    if (!isBrokenOff(error)) throw error;
  }
}

const isBrokenOff = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String((error as NodeJS.ErrnoException).code));

/** Writes a text, and waits while its reader is slow. */
export async function writeText(file: Writable, text: string): Promise<void> {
  if (!file.write(text)) await once(file, 'drain');
}

/** `12,345` */
export const number = (value: number): string => value.toLocaleString('en-US');

/** `1 event`, `12,345 events` */
export const counted = (value: number, noun: string): string => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
