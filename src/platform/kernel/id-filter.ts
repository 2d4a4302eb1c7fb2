/** Bits for each id of a full part. With `LOOKS` bits looked at, a part takes one id in 300 for one of its own. */
const BITS_PER_ID = 12;
const LOOKS = 8;
/** 128 KiB, for 87,000 ids. */
const BITS_OF_FIRST_PART = 2 ** 20;
const BITS_IN_WORD = 32;

interface Part {
  readonly bits: Uint32Array;
  /** Number of ids that still fit. */
  left: number;
}

/**
 * Remembers UUIDs that a hash has made: a Bloom filter, which takes their own bytes for its hash functions. It grows by
 * parts, each twice as large as the part before, and takes one and a half to three bytes an id. Any other text can be
 * added, too: texts that are alike may be taken for each other.
 */
export class IdFilter {
  private readonly parts: Part[] = [];

  add(id: string): void {
    if (this.mayHave(id)) return;
    const part = this.partWithRoom();
    part.left--;
    const step = stepOf(id);
    for (let look = 0, hash = startOf(id); look < LOOKS; look++, hash += step) setBit(part.bits, hash);
  }

  /** @returns false: the id was never added; true: it was, or another one looks like it */
  mayHave(id: string): boolean {
    const start = startOf(id);
    const step = stepOf(id);
    return this.parts.some(({ bits }) => hasAll(bits, start, step));
  }

  private partWithRoom(): Part {
    const last = this.parts.at(-1);
    if (last && last.left > 0) return last;
    const size = last ? last.bits.length * BITS_IN_WORD * 2 : BITS_OF_FIRST_PART;
    const part: Part = { bits: new Uint32Array(size / BITS_IN_WORD), left: Math.floor(size / BITS_PER_ID) };
    this.parts.push(part);
    return part;
  }
}

// The bytes of a UUID that neither its version nor its variant takes part in. Text without digits gives 0.
const startOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16) >>> 0;
/** Odd: the bits looked at are different ones. */
const stepOf = (id: string): number => (Number.parseInt(id.slice(28, 36), 16) | 1) >>> 0;

/** Finds the word of a bit; the number of bits is a power of two. */
const wordOf = (bits: Uint32Array, hash: number): number => (hash >>> 5) & (bits.length - 1);

function setBit(bits: Uint32Array, hash: number): void {
  const word = wordOf(bits, hash);
  bits[word] = (bits[word] ?? 0) | (1 << (hash & 31));
}

function hasAll(bits: Uint32Array, start: number, step: number): boolean {
  for (let look = 0, hash = start; look < LOOKS; look++, hash += step)
    if (((bits[wordOf(bits, hash)] ?? 0) & (1 << (hash & 31))) === 0) return false;
  return true;
}
