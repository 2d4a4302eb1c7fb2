import { Connection } from '../driver/connection.js';
import { after, closedLoop, steadyRate } from '../driver/load.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Child } from '../servers/child.js';
import type { Bench } from './bench.js';
import type { Result } from './result.js';

const MINUTE_S = 60;
/** The part of one processor that pings of 10,000 people may use. */
const LIMIT = 10;
const AT_ONCE = 8;
/** Pings of each person before the clock starts. The compiler is at work until about here. */
const EARLIER_PINGS = 4;

/**
 * Measures everybody's pings, once a minute each, which are answered with everybody else; and what Fastify alone uses
 * to send as many answers of as many bytes.
 */
export async function measurePresence({ organization, big, yardsticks, effort, say }: Bench): Promise<Result> {
  const { users } = organization;
  const people = users.toLocaleString('en-US');
  say(`presence: ${people} people ping once a minute`);
  const ping = (n: number, parameters: Record<string, string>) => {
    const account = organization.account(1 + (n % users));
    return requestOf('POST', '/users/me/presence', account, { status: 'active', ...parameters }, { acceptsGzip: true });
  };
  const before = await newestChange(big.child, ping(0, { last_update_id: '-1', history_limit_days: '0' }));
  // A client that has known everybody's presence of a minute ago.
  const asked = await shareUsed(big.child, users, effort.presenceSeconds, (n) =>
    ping(n, { last_update_id: String(before) }),
  );
  const bytes = await bytesOfAnswer(big.child, ping(0, { last_update_id: String(before) }));
  const least = await shareUsed(yardsticks.fastify, users, effort.presenceSeconds, (n) =>
    ping(n, { bytes: String(bytes) }),
  );
  if (asked === null || least === null) return { rows: [], targets: [] };

  const unit = '% of a processor';
  const row = { what: `presence of ${people}`, unit, value: asked.share, p50: asked.p50, p99: asked.p99 };
  const bare = { what: 'bare Fastify, as many bytes', unit, value: least.share, p50: least.p50, p99: least.p99 };
  const target = { what: row.what, value: row.value, unit, bound: 'at most', limit: LIMIT } as const;
  return {
    rows: [
      { ...row, note: `${asked.answers} pings, ${(row.value / bare.value).toFixed(1)} x bare Fastify` },
      { ...bare, note: `${bytes.toLocaleString('en-US')} bytes` },
    ],
    targets: [target],
  };
}

/** @returns `share`: % of one processor, `p50`, `p99`: milliseconds; null where it cannot be measured */
async function shareUsed(child: Child, users: number, seconds: number, request: (n: number) => Buffer) {
  // Everybody has been here for hours: a first ping writes down who was seen, and uses code that is not yet compiled.
  let sent = 0;
  await closedLoop({
    port: child.port,
    concurrency: AT_ONCE,
    isOver: () => sent > EARLIER_PINGS * users,
    request: () => request(sent++),
  });
  const cpuBefore = child.cpuSeconds();
  const startedAt = performance.now();
  const result = await steadyRate({
    port: child.port,
    perSecond: users / MINUTE_S,
    isOver: after(seconds),
    request,
  });
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpuAfter = child.cpuSeconds();
  return cpuBefore === null || cpuAfter === null
    ? null
    : { ...result, share: (100 * (cpuAfter - cpuBefore)) / elapsed };
}

async function newestChange({ port }: Child, request: Buffer): Promise<number> {
  const connection = await Connection.open(port);
  const answer = await connection.send(request);
  connection.close();
  return successOf<{ presence_last_update_id: number }>(answer).presence_last_update_id;
}

async function bytesOfAnswer({ port }: Child, request: Buffer): Promise<number> {
  const connection = await Connection.open(port);
  const { body } = await connection.send(request);
  connection.close();
  return body.length;
}
