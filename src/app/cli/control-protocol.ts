import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import type { OperatorAct } from '../../features/accesses/commands/record-operator-act.js';
import type { BackupMade } from '../backup/backup.documents.js';
import type { AskedOperation } from '../operations/operations.js';

/**
 * Requests of commands to a running server: JSON, one value a line, over a local socket. One
 * request a connection; any number of `progress` answers, then one `done` or `failed`, then the server hangs up.
 */
export type ControlRequest =
  | { readonly request: 'status' }
  /** Answered with the JSON of a `ServerStatus` and a `HealthReport` in one. */
  | { readonly request: 'health' }
  | ({ readonly request: 'rebuild' } & AskedRebuild)
  | { readonly request: 'operate'; readonly asked: AskedOperation }
  /** Tells of a backup that was made. */
  | { readonly request: 'backup'; readonly made: BackupMade }
  /** Records a command in the log. */
  | { readonly request: 'record'; readonly act: OperatorAct };

export interface AskedRebuild {
  /** null: every projection. */
  readonly projections: readonly string[] | null;
  /** Places of events that cannot be read and are to be passed over, as STREAM@REVISION. Absent: none. */
  readonly skip?: readonly string[];
}

export type ControlAnswer =
  | { readonly answer: 'progress'; readonly progress: BuildProgress }
  | { readonly answer: 'done'; readonly result: unknown }
  /** `message` is for the operator. */
  | { readonly answer: 'failed'; readonly message: string };

export interface ServerStatus {
  readonly url: string;
  readonly pid: number;
}

/** Handlers of the requests. */
export interface ControlHandlers {
  status(): ServerStatus | Promise<ServerStatus>;
  health(): string;
  /** Resolves when the rebuilt documents are live. An Error's message is shown to the operator. */
  rebuild(asked: AskedRebuild, onProgress: (progress: BuildProgress) => void): Promise<void>;
  /** @returns its result, as JSON. An Error's message is shown to the operator */
  operate(asked: AskedOperation): Promise<string>;
  /** Resolves when the backup is remembered, for monitoring. */
  rememberBackup(made: BackupMade): Promise<void>;
  /** Resolves when the act is in the log. @returns false if the server records none */
  record(act: OperatorAct): Promise<boolean>;
}

/** Facts of a running server for commands beside it, in `server.json` of its data directory. */
interface ServerFile {
  readonly pid: number;
  /** Path of its control socket. */
  readonly socket: string;
}

/** Most bytes of a socket's path: macOS takes 104 and Linux 108, its end included. */
const LONGEST_SOCKET_PATH = 100;

const fileIn = (dataDirectory: string): string => join(dataDirectory, 'server.json');

/** Reads the file; null if it is missing or no server wrote it. */
export async function readServerFile(dataDirectory: string): Promise<ServerFile | null> {
  try {
    const { pid, socket } = JSON.parse(await readFile(fileIn(dataDirectory), 'utf8')) as Partial<ServerFile>;
    return typeof pid === 'number' && typeof socket === 'string' ? { pid, socket } : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Tells the id of the operating system's user that runs the server: the owner of the file, or of a folder that is closed. */
export async function serverUser(dataDirectory: string): Promise<number> {
  const { uid } = await stat(fileIn(dataDirectory)).catch(() => stat(dataDirectory));
  return uid;
}

/** Writes the file, which appears whole or not at all. */
export async function writeServerFile(dataDirectory: string, file: ServerFile): Promise<void> {
  const unfinished = `${fileIn(dataDirectory)}.${file.pid}`;
  await writeFile(unfinished, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  await rename(unfinished, fileIn(dataDirectory));
}

export const removeServerFile = (dataDirectory: string): Promise<void> => rm(fileIn(dataDirectory), { force: true });

/** Gives the path of the socket in the data directory; null if the path is too long. */
export function socketPathIn(dataDirectory: string): string | null {
  const path = join(dataDirectory, 'control.sock');
  return Buffer.byteLength(path) <= LONGEST_SOCKET_PATH ? path : null;
}

/** Makes another path for the socket, in a new folder that only this user can open. */
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
