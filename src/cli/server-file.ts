import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a running server tells the commands beside it, in `server.json` of its data directory. */
export interface ServerFile {
  readonly pid: number;
  /** Path of its control socket. */
  readonly socket: string;
}

/** The address of a Unix socket has 104 bytes on macOS and 108 on Linux, its end included. */
const LONGEST_SOCKET_PATH = 100;

const fileIn = (dataDirectory: string): string => join(dataDirectory, 'server.json');

/** null where there is none, or what is there was not written by a server. */
export async function readServerFile(dataDirectory: string): Promise<ServerFile | null> {
  try {
    const { pid, socket } = JSON.parse(await readFile(fileIn(dataDirectory), 'utf8')) as Partial<ServerFile>;
    return typeof pid === 'number' && typeof socket === 'string' ? { pid, socket } : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Appears whole or not at all. */
export async function writeServerFile(dataDirectory: string, file: ServerFile): Promise<void> {
  const unfinished = `${fileIn(dataDirectory)}.${file.pid}`;
  await writeFile(unfinished, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  await rename(unfinished, fileIn(dataDirectory));
}

export const removeServerFile = (dataDirectory: string): Promise<void> => rm(fileIn(dataDirectory), { force: true });

/** Where the socket belongs; null where the path is too long for one. */
export function socketPathIn(dataDirectory: string): string | null {
  const path = join(dataDirectory, 'control.sock');
  return Buffer.byteLength(path) <= LONGEST_SOCKET_PATH ? path : null;
}

/** Where it goes otherwise: a folder of its own that only this user can open. */
export async function socketPathElsewhere(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'annals-')), 'control.sock');
}

export async function removeSocket(dataDirectory: string, socket: string): Promise<void> {
  await rm(socket, { force: true });
  const folder = dirname(socket);
  if (folder !== dataDirectory && folder.startsWith(join(tmpdir(), 'annals-'))) {
    await rm(folder, { recursive: true, force: true });
  }
}
