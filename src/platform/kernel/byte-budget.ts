/** Nest token: number of bytes at which an answer that may be continued ends. */
export const ANSWER_BYTES = Symbol('AnswerBytes');

/** The size of a part of an answer, in bytes. */
export interface PartSize {
  /** A bound that costs little. */
  readonly atMost: number;
  /** Measures the part: it has to be written for that. */
  readonly exactly: () => number;
}

/** The sizes of parts together. A part is measured once at most, and only when the bounds do not decide. */
export class PartSizes {
  private measured = 0;
  private atMost = 0;
  private unmeasured: PartSize[] = [];

  add(size: PartSize): void {
    this.unmeasured.push(size);
    this.atMost += size.atMost;
  }

  /** Adds a part if all of them then take no more bytes than this. @returns whether it did */
  addWithin(size: PartSize, most: number): boolean {
    if (this.measured + this.atMost + size.atMost <= most) {
      this.add(size);
      return true;
    }
    const bytes = this.bytes + size.exactly();
    if (bytes > most) return false;
    this.measured = bytes;
    return true;
  }

  get bytes(): number {
    for (const size of this.unmeasured) this.measured += size.exactly();
    this.unmeasured = [];
    this.atMost = 0;
    return this.measured;
  }
}

/** The room for the parts of an answer. The first part is always admitted, so that whoever asks on gets everything. */
export class ByteBudget {
  private parts = 0;
  private isOver = false;

  /**
   * @param most bytes
   * @param taken the parts that have room already
   */
  constructor(
    private readonly most: number,
    private readonly taken = new PartSizes(),
  ) {}

  /** Whether a part has been refused. */
  get isSpent(): boolean {
    return this.isOver;
  }

  /** Takes room for a part. After the first refusal, refuses all. */
  admits(size: PartSize): boolean {
    if (this.isOver) return false;
    if (this.parts === 0) this.taken.add(size);
    else this.isOver = !this.taken.addWithin(size, this.most);
    this.parts += 1;
    return !this.isOver;
  }
}

/** The size of what is known to take so many bytes. */
export const sizeOfBytes = (bytes: number): PartSize => ({ atMost: bytes, exactly: () => bytes });

/** @param sum a part's bytes, given the bytes of a text; it grows with them */
export const sizeOfTexts = (sum: (bytesOf: (text: string) => number) => number): PartSize => ({
  atMost: sum(mostBytesInJson),
  exactly: () => sum(bytesInJson),
});

/** The size of a value in JSON, in bytes. */
export const bytesInJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The longest that JSON makes of a UTF-16 unit is `\u001f`. */
const mostBytesInJson = (text: string): number => 2 + 6 * text.length;
