import { Connection } from './connection.js';
import { cyclic } from './cyclic.js';

/** The server has answered one of the requests with something else than a success. */
export class Refused extends Error {}

/** Connections that are opened at once: a server's backlog holds some hundreds. */
const AT_ONCE = 200;
/** Uses a new connection once before it is measured: clients keep theirs. */
const FIRST_USE = Buffer.from('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');

/**
 * Sends requests at the same moment, each on a connection of its own that has been used before. The ports take turns.
 *
 * @returns how many happened a second, and the text that `watch` made
 * @throws Refused
 */
export async function burst({
  ports,
  request,
  count,
  isDone,
  watch,
}: {
  readonly ports: readonly number[];
  readonly request: (n: number) => Buffer;
  readonly count: number;
  /** Resolves when everything they ask for has happened, answered or not. */
  readonly isDone: () => Promise<void>;
  /** Called as they are sent; the function that it returns, when everything has happened. */
  readonly watch: () => (count: number) => string;
}): Promise<{ perSecond: number; cpu: string }> {
  const connections: Connection[] = [];
  try {
    while (connections.length < count) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, count - connections.length) }, (_, n) => n);
      const opened = numbers.map((n) => Connection.open(cyclic(ports, n)));
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
