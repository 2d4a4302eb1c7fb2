import { Connection } from '../driver/connection.js';
import { after, closedLoop, type LoadResult, steadyRate } from '../driver/load.js';
import { requestOf, successOf } from '../driver/request.js';
import type { Child } from '../servers/child.js';
import type { Bench, Effort } from './bench.js';
import type { Result } from './result.js';

const MINUTE_S = 60;
/** The part of one processor that pings of 10,000 people may use. */
const LIMIT = 10;
const AT_ONCE = 8;
/** Pings of each person before the clock starts. The compiler is at work until about here. */
const EARLIER_PINGS = 4;

/**
 * Measures everybody's pings, once a minute each, which are answered with everybody else; and what Fastify alone uses
 * to send as many answers of as many bytes. The round in which each used least counts: what else the machine does can
 * only add.
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
  const own = new Pings(big.child, users, (n) => ping(n, { last_update_id: String(before) }));
  await own.measure(effort);
  const bytes = await bytesOfAnswer(big.child, ping(0, { last_update_id: String(before) }));
  const bare = new Pings(yardsticks.fastify, users, (n) => ping(n, { bytes: String(bytes) }));
  await bare.measure(effort);

  const used = own.least();
  const least = bare.least();
  if (used === null || least === null) return { rows: [], targets: [] };
  const what = `presence of ${people}`;
  const unit = '% of a processor';
  const times = (used.share / least.share).toFixed(1);
  return {
    rows: [
      { what, unit, ...valuesOf(used), note: `${used.answers} pings, ${times} x bare Fastify; ${own.spread()}` },
      {
        what: 'bare Fastify, as many bytes',
        unit,
        ...valuesOf(least),
        note: `${bytes.toLocaleString('en-US')} bytes; ${bare.spread()}`,
      },
    ],
    targets: [{ what, value: used.share, unit, bound: 'at most', limit: LIMIT }],
  };
}

/** What a server used in one round. */
interface Used extends LoadResult {
  /** % of one processor. */
  readonly share: number;
}

const valuesOf = ({ share: value, p50, p99 }: Used) => ({ value, p50, p99 });

/** Pings of everybody, at one server. */
class Pings {
  private readonly rounds: Used[] = [];

  constructor(
    private readonly child: Child,
    private readonly users: number,
    private readonly request: (n: number) => Buffer,
  ) {}

  /** Measures its rounds, of which there are none where processor time cannot be measured. */
  async measure({ presenceRounds, presenceSeconds }: Effort): Promise<void> {
    await this.warmUp();
    // Without a pause: a server that has nothing to do for some seconds drops code, and would compile it in the next round.
    for (let round = 0; round < presenceRounds; round++) await this.measureRound(presenceSeconds);
  }

  /** Everybody has been here for hours: a first ping writes down who was seen, and uses code that is not yet compiled. */
  private async warmUp(): Promise<void> {
    let sent = 0;
    await closedLoop({
      port: this.child.port,
      concurrency: AT_ONCE,
      isOver: () => sent > EARLIER_PINGS * this.users,
      request: () => this.request(sent++),
    });
  }

  private async measureRound(seconds: number): Promise<void> {
    const cpuBefore = this.child.cpuSeconds();
    const startedAt = performance.now();
    const result = await steadyRate({
      port: this.child.port,
      perSecond: this.users / MINUTE_S,
      isOver: after(seconds),
      request: this.request,
    });
    const elapsed = (performance.now() - startedAt) / 1000;
    const cpuAfter = this.child.cpuSeconds();
    if (cpuBefore === null || cpuAfter === null) return;
    this.rounds.push({ ...result, share: (100 * (cpuAfter - cpuBefore)) / elapsed });
  }

  /** The round in which it used least; null if processor time cannot be measured. */
  least(): Used | null {
    return this.sorted()[0] ?? null;
  }

  /** The shares of all rounds, as a person reads them. */
  spread(): string {
    return `rounds ${this.sorted()
      .map(({ share }) => share.toFixed(1))
      .join(', ')}`;
  }

  private sorted(): Used[] {
    return this.rounds.toSorted((a, b) => a.share - b.share);
  }
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
