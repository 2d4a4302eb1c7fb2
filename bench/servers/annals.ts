import { Connection } from '../driver/connection.js';
import { type Account, requestOf } from '../driver/request.js';
import { inRepository } from '../root.js';
import { Child, freePort } from './child.js';

export const HEALTH = Buffer.from('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
export const ANNALS = inRepository('bin/annals.js');

interface StartedAnnals {
  readonly child: Child;
  readonly port: number;
  readonly dataDirectory: string;
  /** Seconds from the start of the process to its first answer. */
  readonly listeningSeconds: number;
  /** Seconds from the start of the process to the first page of messages. */
  readonly readySeconds: number;
}

/** Runs `annals start` on a data directory, as an operator would. */
export async function startAnnals({
  dataDirectory,
  reader,
  profileDirectory,
  timeoutSeconds = 1800,
}: {
  readonly dataDirectory: string;
  /** The account that asks for the first page of messages. */
  readonly reader: Account;
  /** The folder for V8's CPU profiles; null for none. */
  readonly profileDirectory: string | null;
  readonly timeoutSeconds?: number;
}): Promise<StartedAnnals> {
  const startedAt = performance.now();
  const child = await spawnAnnals({ command: 'start', dataDirectory, profileDirectory });
  const { port } = child;
  const seconds = () => (performance.now() - startedAt) / 1000;

  await child.ready(async () => (await statusOf(port, HEALTH)) !== null, timeoutSeconds);
  const listeningSeconds = seconds();
  await becomesReady(child, timeoutSeconds);
  const firstPage = requestOf('GET', '/messages', reader, { anchor: 'newest', num_before: '1', num_after: '0' });
  const status = await statusOf(port, firstPage);
  if (status !== 200) throw new Error(`a server that says it is ready answers ${status}`);
  return { child, port, dataDirectory, listeningSeconds, readySeconds: seconds() };
}

/** Starts a process of the program on a free port. */
export async function spawnAnnals({
  command,
  dataDirectory,
  profileDirectory,
  environment,
  program = ANNALS,
  flags = [],
}: {
  readonly command: 'start' | 'api' | 'projections';
  readonly dataDirectory: string;
  readonly profileDirectory: string | null;
  /** Environment variables that name engines other than the embedded ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The script that runs. */
  readonly program?: string;
  /** Flags of `node` besides those of this process. */
  readonly flags?: readonly string[];
}) {
  const port = await freePort();
  const profile = profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const settings = ['--data-dir', dataDirectory, '--port', String(port), '--log-level', 'warn'];
  return new Child(`annals ${command}`, port, [...flags, ...profile, program, command, ...settings], environment);
}

/**
 * Resolves when the process says that it is ready.
 *
 * @param every milliseconds between two questions
 */
export async function becomesReady(child: Child, timeoutSeconds: number, every?: number) {
  await child.ready(async () => (await statusOf(child.port, HEALTH)) === 200, timeoutSeconds, every);
}

/** Asks for the status of an answer; null if nobody listens yet. */
async function statusOf(port: number, request: Buffer) {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(port);
    return (await connection.send(request)).status;
  } catch {
    return null;
  } finally {
    connection?.close();
  }
}
