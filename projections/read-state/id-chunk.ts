/** Number of ids in a chunk. A set of message ids is stored as chunks, each a compact set of its own (D9). */
export const CHUNK_SIZE = 65_536;

const WORDS = CHUNK_SIZE / 32;
const BITMAP_BYTES = CHUNK_SIZE / 8;
const RUN_BYTES = 4;

/** One bit for each id of a chunk, by its distance from the chunk's first id. */
export type ChunkBits = Uint32Array;

export const chunkOf = (id: number): number => Math.floor(id / CHUNK_SIZE);

export const noIds = (): ChunkBits => new Uint32Array(WORDS);

/** Puts the ids of a chunk from one offset to another, both included, into the set, or takes them out. */
export function setRange(bits: ChunkBits, from: number, to: number, isIn: boolean): void {
  for (let word = from >>> 5; word <= to >>> 5; word++) {
    const low = word === from >>> 5 ? from & 31 : 0;
    const high = word === to >>> 5 ? to & 31 : 31;
    const mask = ((0xffffffff >>> (31 - high)) & (0xffffffff << low)) >>> 0;
    const before = bits[word] ?? 0;
    bits[word] = isIn ? before | mask : before & ~mask;
  }
}

/**
 * The text of a chunk, the same for equal sets: `r` and its runs if they are shorter, else `b` and its bits. Both are
 * little-endian numbers in base64.
 */
export function encodeChunk(bits: ChunkBits): string {
  return countRuns(bits) * RUN_BYTES < BITMAP_BYTES ? `r${base64OfRuns(runsOf(bits))}` : `b${base64OfBits(bits)}`;
}

export function decodeChunk(text: string): ChunkBits {
  const bytes = Buffer.from(text.slice(1), 'base64');
  if (text.startsWith('b')) return wordsOf(bytes);
  const bits = noIds();
  for (let at = 0; at < bytes.length; at += RUN_BYTES)
    setRange(bits, bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), true);
  return bits;
}

/** A run begins at each bit whose lower neighbour is not set. */
function countRuns(bits: ChunkBits): number {
  let runs = 0;
  let carried = 0;
  for (let word = 0; word < WORDS; word++) {
    const value = bits[word] ?? 0;
    let beginnings = value & ~((value << 1) | carried);
    carried = value >>> 31;
    for (; beginnings !== 0; beginnings &= beginnings - 1) runs++;
  }
  return runs;
}

type Run = readonly [from: number, to: number];

function runsOf(bits: ChunkBits): Run[] {
  const runs: Run[] = [];
  let start = -1;
  for (let word = 0; word < WORDS; word++) {
    const value = bits[word] ?? 0;
    if (value === 0 && start === -1) continue;
    if (value === 0xffffffff && start !== -1) continue;
    for (let bit = 0; bit < 32; bit++) {
      const isIn = ((value >>> bit) & 1) === 1;
      const offset = word * 32 + bit;
      if (isIn && start === -1) start = offset;
      if (!isIn && start !== -1) {
        runs.push([start, offset - 1]);
        start = -1;
      }
    }
  }
  if (start !== -1) runs.push([start, CHUNK_SIZE - 1]);
  return runs;
}

function base64OfRuns(runs: readonly Run[]): string {
  const bytes = Buffer.alloc(runs.length * RUN_BYTES);
  runs.forEach(([from, to], index) => {
    bytes.writeUInt16LE(from, index * RUN_BYTES);
    bytes.writeUInt16LE(to, index * RUN_BYTES + 2);
  });
  return bytes.toString('base64');
}

function base64OfBits(bits: ChunkBits): string {
  return inOrder(Buffer.from(bits.buffer, bits.byteOffset, BITMAP_BYTES)).toString('base64');
}

function wordsOf(bytes: Buffer): ChunkBits {
  const bits = noIds();
  new Uint8Array(bits.buffer).set(inOrder(bytes).subarray(0, BITMAP_BYTES));
  return bits;
}

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Converts little-endian words to the machine's order, or back. */
function inOrder(bytes: Buffer): Buffer {
  return IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32();
}
