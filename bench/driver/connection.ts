import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type Answer = { readonly status: number; readonly body: Buffer };

const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Milliseconds that a connection may be idle: servers close it after a minute or so. */
const LONGEST_IDLE = 20_000;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * A keep-alive connection with one request at a time. It knows only the HTTP that the measured servers answer with: a
 * full client of HTTP would take several times as much of the machine that is measured.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer | null = null;
  #head: { status: number; end: number; start: number } | null = null;
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;
  /** The time of the last answer. */
  #idleSince = performance.now();

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#onData(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static async open(port: number) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  static openMany(port: number, count: number) {
    return Promise.all(Array.from({ length: count }, () => Connection.open(port)));
  }

  /** @param request a whole HTTP/1.1 request */
  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting) return reject(new Error('one request at a time'));
      if (this.#socket.destroyed) return reject(new Error('the connection is closed'));
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  /** Tells whether the server is sure not to have hung up on it. */
  get isUsable() {
    return !this.#socket.destroyed && performance.now() - this.#idleSince < LONGEST_IDLE;
  }

  /** Closes the connection; a request under way is rejected. */
  close() {
    this.#fail(new Error('closed while a request was under way'));
  }

  #onData(chunk: Buffer) {
    const received = this.#received ? Buffer.concat([this.#received, chunk]) : chunk;
    this.#received = received;
    try {
      this.#head ??= readHead(received);
    } catch (error) {
      return this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
    if (!this.#head || received.length < this.#head.end) return;
    const { status, start, end } = this.#head;
    const waiting = this.#waiting;
    this.#received = null;
    this.#head = null;
    this.#waiting = null;
    this.#idleSince = performance.now();
    waiting?.resolve({ status, body: received.subarray(start, end) });
  }

  #fail(error: Error) {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#socket.destroy();
    waiting?.reject(error);
  }
}

function readHead(received: Buffer) {
  const headEnd = received.indexOf(END_OF_HEAD);
  if (headEnd === -1) return null;
  const head = received.toString('latin1', 0, headEnd);
  const length = CONTENT_LENGTH.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`);
  const start = headEnd + END_OF_HEAD.length;
  return { status: Number(head.slice(9, 12)), start, end: start + Number(length) };
}
