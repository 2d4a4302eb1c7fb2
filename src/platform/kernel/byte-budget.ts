/** Nest token: number of bytes at which an answer that may be continued ends. */
export const ANSWER_BYTES = Symbol('AnswerBytes');

/** The room for the parts of an answer. The first part is always admitted, so that whoever asks on gets everything. */
export class ByteBudget {
  private bytes = 0;
  private parts = 0;
  private isOver = false;

  constructor(private readonly most: number) {}

  /** Whether a part has been refused. */
  get isSpent(): boolean {
    return this.isOver;
  }

  /** Takes room for a part. After the first refusal, refuses all. */
  admits(bytes: number): boolean {
    this.isOver ||= this.parts > 0 && this.bytes + bytes > this.most;
    if (this.isOver) return false;
    this.bytes += bytes;
    this.parts += 1;
    return true;
  }
}

/** Size of a text in JSON, in bytes. */
export const bytesInJson = (text: string): number => Buffer.byteLength(JSON.stringify(text));
