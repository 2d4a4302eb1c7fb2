import { HEADER_BYTES, type Header, headerOf } from './message.js';

/** Cuts a stream of bytes into messages. Only messages that must be read are collected. */
export class MessageStream {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Number of bytes of the current message that are passed on as they come. */
  private passing = 0;

  /**
   * @param isRead whether `take` is given the message; otherwise its parts go to `pass`
   * @param take is given a whole message
   */
  constructor(
    private readonly isRead: (header: Header) => boolean,
    private readonly take: (message: Buffer) => void,
    private readonly pass: (bytes: Buffer) => void,
  ) {}

  push(chunk: Buffer): void {
    let rest = this.passOn(chunk);
    while (rest.length > 0) {
      this.chunks.push(rest);
      this.size += rest.length;
      if (this.size < HEADER_BYTES) return;
      const header = headerOf(this.start());
      if (this.isRead(header)) {
        if (this.size < header.length) return;
        const all = this.collected();
        rest = all.subarray(header.length);
        this.take(all.subarray(0, header.length));
      } else {
        // Bytes that are no message are passed on to the end of the stream.
        this.passing = header.length < HEADER_BYTES ? Number.POSITIVE_INFINITY : header.length;
        rest = this.passOn(this.collected());
      }
    }
  }

  /** @returns the bytes after the current message */
  private passOn(bytes: Buffer): Buffer {
    if (this.passing === 0) return bytes;
    const part = bytes.subarray(0, this.passing);
    this.passing -= part.length;
    this.pass(part);
    return bytes.subarray(part.length);
  }

  /** The first chunk, with at least a header in it. */
  private start(): Buffer {
    const [first] = this.chunks;
    if (first && first.length >= HEADER_BYTES) return first;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }

  private collected(): Buffer {
    const [first, ...more] = this.chunks;
    const all = first && more.length === 0 ? first : Buffer.concat(this.chunks);
    this.chunks = [];
    this.size = 0;
    return all;
  }
}
