// @ts-check
import { once } from 'node:events';
import { connect } from 'node:net';

/** @typedef {{ readonly status: number, readonly body: Buffer }} Answer */

const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Servers close a connection that is idle for a minute or so, milliseconds. */
const LONGEST_IDLE = 20_000;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * One keep-alive connection with one request at a time. It knows no more of HTTP than the servers measured here answer
 * with, so that the driver costs a small part of what it drives: a client of full HTTP is several times as dear.
 */
export class Connection {
  /** @type {import('node:net').Socket} */
  #socket;
  /** @type {Buffer | null} */
  #received = null;
  /** @type {{ status: number, end: number, start: number } | null} */
  #head = null;
  /** @type {{ resolve: (answer: Answer) => void, reject: (error: Error) => void } | null} */
  #waiting = null;
  /** When the last answer came. */
  #idleSince = performance.now();

  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#onData(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  /** @param {number} port */
  static async open(port) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /**
   * @param {number} port
   * @param {number} count
   */
  static openMany(port, count) {
    return Promise.all(Array.from({ length: count }, () => Connection.open(port)));
  }

  /**
   * @param {Buffer} request a whole HTTP/1.1 request
   * @returns {Promise<Answer>}
   */
  send(request) {
    return new Promise((resolve, reject) => {
      if (this.#waiting) return reject(new Error('one request at a time'));
      if (this.#socket.destroyed) return reject(new Error('the connection is closed'));
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  /** Long before the server would hang up on it. */
  get isUsable() {
    return !this.#socket.destroyed && performance.now() - this.#idleSince < LONGEST_IDLE;
  }

  /** A request under way is rejected. */
  close() {
    this.#fail(new Error('closed while a request was under way'));
  }

  /** @param {Buffer} chunk */
  #onData(chunk) {
    const received = this.#received ? Buffer.concat([this.#received, chunk]) : chunk;
    this.#received = received;
    try {
      this.#head ??= readHead(received);
    } catch (error) {
      return this.#fail(/** @type {Error} */ (error));
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

  /** @param {Error} error */
  #fail(error) {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#socket.destroy();
    waiting?.reject(error);
  }
}

/** @param {Buffer} received */
function readHead(received) {
  const headEnd = received.indexOf(END_OF_HEAD);
  if (headEnd === -1) return null;
  const head = received.toString('latin1', 0, headEnd);
  const length = CONTENT_LENGTH.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`);
  const start = headEnd + END_OF_HEAD.length;
  return { status: Number(head.slice(9, 12)), start, end: start + Number(length) };
}
