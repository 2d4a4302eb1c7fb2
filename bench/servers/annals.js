// @ts-check
import { fileURLToPath } from 'node:url';
import { Connection } from '../driver/connection.js';
import { requestOf } from '../driver/request.js';
import { Child, freePort } from './child.js';

export const HEALTH = Buffer.from('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
export const ANNALS = fileURLToPath(new URL('../../bin/annals.js', import.meta.url));

/**
 * @typedef {object} StartedAnnals
 * @property {Child} child
 * @property {number} port
 * @property {string} dataDirectory
 * @property {number} listeningSeconds from the start of the process to its first answer
 * @property {number} readySeconds from the start of the process to the first page of messages
 */

/**
 * `annals start` on this data directory, as an operator would start it.
 *
 * @param {object} options
 * @param {string} options.dataDirectory
 * @param {import('../driver/request.js').Account} options.reader who asks for the first page of messages
 * @param {string | null} options.profileDirectory where V8's CPU profiles go; null for none
 * @param {number} [options.timeoutSeconds]
 * @returns {Promise<StartedAnnals>}
 */
export async function startAnnals({ dataDirectory, reader, profileDirectory, timeoutSeconds = 1800 }) {
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

/**
 * One process of the program, on a free port.
 *
 * @param {object} options
 * @param {'start' | 'api' | 'projections'} options.command
 * @param {string} options.dataDirectory
 * @param {string | null} options.profileDirectory
 * @param {Readonly<Record<string, string>>} [options.environment] names engines other than the embedded ones
 */
export async function spawnAnnals({ command, dataDirectory, profileDirectory, environment }) {
  const port = await freePort();
  const profile = profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const settings = ['--data-dir', dataDirectory, '--port', String(port), '--log-level', 'warn'];
  return new Child(`annals ${command}`, port, [...profile, ANNALS, command, ...settings], environment);
}

/**
 * Resolves when it says that it can do its work.
 *
 * @param {Child} child
 * @param {number} timeoutSeconds
 * @param {number} [every] how often it is asked, milliseconds
 */
export async function becomesReady(child, timeoutSeconds, every) {
  await child.ready(async () => (await statusOf(child.port, HEALTH)) === 200, timeoutSeconds, every);
}

/** null: not listening yet. @param {number} port @param {Buffer} request */
async function statusOf(port, request) {
  /** @type {Connection | undefined} */
  let connection;
  try {
    connection = await Connection.open(port);
    return (await connection.send(request)).status;
  } catch {
    return null;
  } finally {
    connection?.close();
  }
}
