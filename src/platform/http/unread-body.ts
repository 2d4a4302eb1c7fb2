import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that are read after an early answer: a client that sends little more is done, and reads the answer. */
const MAX_REMAINDER_BYTES = 256 * 1024;

/** Milliseconds after an early answer within which the client has to close the connection. */
const LINGER_MS = 2000;

/** Tells whether some of the request's body has not arrived, or has not been asked for. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Ends the connection once the answer is flushed, instead of reading the rest of the request's body. Called before the
 * answer, which has `Connection: close`. Node would close at once, and the reset that follows from unread bytes can
 * destroy the answer before the client has read it. So only the sending side is closed, until the client closes.
 */
export function endEarly({ socket }: IncomingMessage): void {
  // Node calls this after the last answer on a connection.
  socket.destroySoon = () => {
    socket.destroySoon = () => socket.destroy();
    linger(socket);
  };
}

function linger(socket: Socket): void {
  if (socket.destroyed) return;
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
  // Takes the bytes from the HTTP parser, which would read a request out of them.
  socket.removeAllListeners('data');
  socket.removeAllListeners('end');
  let remainder = 0;
  socket.on('data', (chunk: Buffer) => {
    remainder += chunk.length;
    if (remainder > MAX_REMAINDER_BYTES) socket.pause();
  });
  socket.on('end', () => socket.destroy());
  socket.end();
  socket.resume();
}
