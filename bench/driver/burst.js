// @ts-check
import { Connection } from './connection.js';

/** The server has answered one of the requests with something else than a success. */
export class Refused extends Error {}

/** Connections opened at once: a server's backlog holds some hundreds. */
const AT_ONCE = 200;
/** What a connection is used for before: clients keep theirs, and what is measured is not the making of them. */
const FIRST_USE = Buffer.from('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');

/**
 * Sends so many requests at the same moment, each on a connection of its own that has been used before, and in turn to
 * each of the ports.
 *
 * @param {object} options
 * @param {readonly number[]} options.ports
 * @param {(n: number) => Buffer} options.request
 * @param {number} options.count
 * @param {() => Promise<void>} options.isDone resolves when what they ask for has happened, answered or not
 * @param {() => (count: number) => string} options.watch called as they are sent, and what it returns once that is so
 * @returns {Promise<{ perSecond: number, cpu: string }>} how many have happened a second, and what was seen
 * @throws Refused
 */
export async function burst({ ports, request, count, isDone, watch }) {
  /** @type {Connection[]} */
  const connections = [];
  try {
    while (connections.length < count) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, count - connections.length) }, (_, n) => n);
      const opened = numbers.map((n) => Connection.open(/** @type {number} */ (ports[n % ports.length])));
      const open = await Promise.all(opened);
      connections.push(...open);
      await Promise.all(open.map((connection) => connection.send(FIRST_USE)));
    }
    const seen = watch();
    const startedAt = performance.now();
    const answers = Promise.all(
      connections.map(async (connection, n) => {
        const { status, body } = await connection.send(request(n));
        if (status !== 200) throw new Refused(`answered ${status}: ${body.toString('utf8')}`);
      }),
    );
    await Promise.race([isDone(), answers.then(() => new Promise(() => {}))]);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = seen(count);
    await answers;
    return { perSecond: count / seconds, cpu };
  } finally {
    for (const connection of connections) connection.close();
  }
}
