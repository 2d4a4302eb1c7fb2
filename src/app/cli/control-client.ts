import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import {
  type ControlAnswer,
  type ControlRequest,
  readServerFile,
  type ServerStatus,
  serverUser,
} from './control-protocol.js';
import { linesOf } from './text.js';

/** The server did not carry out the request; the message is for the operator. */
export class ControlFailed extends Error {
  override readonly name = 'ControlFailed';
}

const NOBODY_LISTENS = new Set(['ENOENT', 'ECONNREFUSED']);
const NOT_ALLOWED = new Set(['EACCES', 'EPERM']);

/**
 * Connects to the server that runs on this data directory; null if none does.
 *
 * @throws ControlFailed if it is another user's
 */
export async function connectToServer(dataDirectory: string): Promise<Socket | null> {
  try {
    return await connectIfServed(dataDirectory);
  } catch (error) {
    if (!NOT_ALLOWED.has(String((error as NodeJS.ErrnoException).code))) throw error;
    const owner = `uid ${await serverUser(dataDirectory)}`;
    throw new ControlFailed(
      `this user may not reach the server of ${dataDirectory}: run the command as the operating system's user that runs the server, ${owner}`,
    );
  }
}

async function connectIfServed(dataDirectory: string): Promise<Socket | null> {
  const file = await readServerFile(dataDirectory);
  if (!file) return null;
  const socket = connect(file.socket);
  try {
    await once(socket, 'connect');
    // A broken connection ends like a closed one: `ask` reports it.
    socket.on('error', () => socket.destroy());
    return socket;
  } catch (error) {
    // A server that was killed left the socket behind.
    if (NOBODY_LISTENS.has(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  }
}

/** Tells whether a server runs on this data directory. */
export async function isServed(dataDirectory: string): Promise<boolean> {
  try {
    const socket = await connectToServer(dataDirectory);
    socket?.destroy();
    return socket !== null;
  } catch {
    // There is a server, and it is another user's.
    return true;
  }
}

/**
 * Sends the one request of a connection and waits for its result.
 *
 * @throws ControlFailed if the server refuses, fails, or goes away first
 */
export async function ask(
  socket: Socket,
  request: ControlRequest,
  onProgress: (progress: BuildProgress) => void = () => {},
): Promise<unknown> {
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    for await (const line of linesOf(socket)) {
      const answer = JSON.parse(line) as ControlAnswer;
      if (answer.answer === 'done') return answer.result;
      if (answer.answer === 'failed') throw new ControlFailed(answer.message);
      onProgress(answer.progress);
    }
  } finally {
    socket.destroy();
  }
  throw new ControlFailed('the server went away before it had finished: see what it logged, and ask again');
}

/**
 * Asks the server that runs on this data directory where it listens; null if none runs.
 *
 * @param longestMs milliseconds of silence after which it is given up
 * @throws ControlFailed
 */
export async function serverStatus(dataDirectory: string, longestMs: number): Promise<ServerStatus | null> {
  const server = await connectToServer(dataDirectory);
  server?.setTimeout(longestMs, () => server.destroy());
  return server && (JSON.parse(String(await ask(server, { request: 'health' }))) as ServerStatus);
}
