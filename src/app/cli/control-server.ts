import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { isUUID } from 'class-validator';
import { isRecord, parsedJson } from '../../platform/kernel/json.js';
import { isBackupMade } from '../backup/backup.documents.js';
import { UnknownRequest } from '../operations/operation.js';
import type { AskedOperation } from '../operations/operations.js';
import {
  type ControlAnswer,
  type ControlHandlers,
  type ControlRequest,
  readServerFile,
  removeServerFile,
  removeSocket,
  socketPathElsewhere,
  socketPathIn,
  writeServerFile,
} from './control-protocol.js';
import { isOperatorAct } from './operator-act.js';
import { linesOf } from './text.js';

/** Longest request, in characters. A request is a few names. */
const LONGEST_REQUEST = 64 * 1024;

export interface ControlServer {
  /** Hangs up on waiting commands, and removes its files from the data directory. */
  close(): Promise<void>;
}

/**
 * Lets commands of the same user reach this server: a socket that only they can open, named in `server.json`. Call it
 * once the log is open: the lock of the log makes the data directory this process's own.
 */
export async function startControlServer(dataDirectory: string, handlers: ControlHandlers): Promise<ControlServer> {
  const before = await readServerFile(dataDirectory);
  if (before) await removeSocket(dataDirectory, before.socket);

  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // An interrupted command hangs up; its request goes on.
    socket.on('error', () => socket.destroy());
    answerOneRequest(socket, handlers).catch((error: Error) => socket.destroy(error));
  });
  const path = await listenNear(dataDirectory, server);
  await writeServerFile(dataDirectory, { pid: process.pid, socket: path });

  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
      await removeServerFile(dataDirectory);
      await removeSocket(dataDirectory, path);
    },
  };
}

/** @returns the path of the socket */
async function listenNear(dataDirectory: string, server: Server): Promise<string> {
  if (process.platform === 'win32') {
    const pipe = `\\\\.\\pipe\\annals-${process.pid}`;
    await listenPrivately(server, pipe);
    return pipe;
  }
  const near = socketPathIn(dataDirectory);
  if (near !== null) {
    try {
      await rm(near, { force: true });
      await listenPrivately(server, near);
      return near;
    } catch {
      // Some folders, such as those shared with a virtual machine, hold no sockets.
    }
  }
  const elsewhere = await socketPathElsewhere();
  await listenPrivately(server, elsewhere);
  return elsewhere;
}

/** Listens on a socket that has its mode from the start: others can open it at no moment. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await listening;
}

async function answerOneRequest(socket: Socket, handlers: ControlHandlers): Promise<void> {
  const send = (answer: ControlAnswer): void => {
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
  };
  const { value: line } = await linesOf(socket, LONGEST_REQUEST).next();
  if (line === undefined) return void socket.destroy();
  // Reading goes on, so that a command that hangs up is noticed.
  socket.resume();
  try {
    const result = await handle(parseRequest(line), handlers, send);
    send({ answer: 'done', result: result ?? null });
  } catch (error) {
    send({ answer: 'failed', message: (error as Error).message });
  }
  socket.end();
}

async function handle(
  request: ControlRequest,
  handlers: ControlHandlers,
  send: (answer: ControlAnswer) => void,
): Promise<unknown> {
  switch (request.request) {
    case 'status':
      return handlers.status();
    case 'health':
      return handlers.health();
    case 'rebuild':
      return handlers.rebuild(request, (progress) => send({ answer: 'progress', progress }));
    case 'operate':
      return handlers.operate(request.asked);
    case 'backup':
      return handlers.rememberBackup(request.made);
    case 'record':
      return handlers.record(request.act);
    default:
      return request satisfies never;
  }
}

/** @throws Error unless this version knows the request */
function parseRequest(line: string): ControlRequest {
  const value = parsedJson(line);
  if (isRecord(value)) {
    if (value.request === 'status' || value.request === 'health') return { request: value.request };
    const { projections, skip = [] } = value;
    if (value.request === 'rebuild' && (projections === null || isStrings(projections)) && isStrings(skip))
      return { request: 'rebuild', projections, skip };
    if (value.request === 'operate' && isAskedOperation(value.asked)) return { request: 'operate', asked: value.asked };
    if (value.request === 'backup' && isBackupMade(value.made)) return { request: 'backup', made: value.made };
    if (value.request === 'record' && isOperatorAct(value.act)) return { request: 'record', act: value.act };
  }
  throw new UnknownRequest();
}

/** Checks the parts that all operations have. Each checks its own fields. */
const isAskedOperation = (value: unknown): value is AskedOperation =>
  isRecord(value) &&
  typeof value.operation === 'string' &&
  typeof value.operator === 'string' &&
  isUUID(value.requestId);

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');
