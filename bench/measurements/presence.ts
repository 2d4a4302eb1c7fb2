import { Connection } from '../driver/connection.js';
import { after, closedLoop, steadyRate } from '../driver/load.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Bench } from './bench.js';
import type { Result } from './result.js';

const MINUTE_S = 60;
/** The part of one processor that pings of 10,000 people may use. */
const LIMIT = 10;
const AT_ONCE = 8;

/** Measures everybody's pings, once a minute each, which are answered with everybody else. */
export async function measurePresence({ organization, big, effort, say }: Bench): Promise<Result> {
  const { users } = organization;
  const people = users.toLocaleString('en-US');
  say(`presence: ${people} people ping once a minute`);
  const ping = (n: number, parameters: Record<string, string>, options = {}) => {
    const account = organization.account(1 + (n % users));
    return requestOf('POST', '/users/me/presence', account, { status: 'active', ...parameters }, options);
  };

  const connection = await Connection.open(big.port);
  const before = successOf<{ presence_last_update_id: number }>(
    await connection.send(ping(0, { last_update_id: '-1' })),
  ).presence_last_update_id;
  connection.close();
  let sent = 0;
  await closedLoop({
    port: big.port,
    concurrency: AT_ONCE,
    isOver: () => sent > users,
    request: () => ping(sent++, { ping_only: 'true' }),
  });

  const cpuBefore = big.child.cpuSeconds();
  const startedAt = performance.now();
  const result = await steadyRate({
    port: big.port,
    perSecond: users / MINUTE_S,
    isOver: after(effort.presenceSeconds),
    // A client that has known everybody's presence of a minute ago.
    request: (n) => ping(n, { last_update_id: String(before) }, { acceptsGzip: true }),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuAfter = big.child.cpuSeconds();
  if (cpuBefore === null || cpuAfter === null) return { rows: [], targets: [] };

  const share = (100 * (cpuAfter - cpuBefore)) / seconds;
  const row = {
    what: `presence of ${people}`,
    unit: '% of a processor',
    value: share,
    p50: result.p50,
    p99: result.p99,
  };
  const target = { what: row.what, value: share, unit: row.unit, bound: 'at most', limit: LIMIT } as const;
  return { rows: [{ ...row, note: `${result.answers} pings` }], targets: [target] };
}
