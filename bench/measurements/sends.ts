import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from '../driver/figures.js';
import { after, closedLoop, type LoadResult } from '../driver/load.js';
import type { Child } from '../servers/child.js';
import { startYardstick } from '../servers/yardstick.js';
import { FloorStore } from '../yardsticks/floor-store.js';
import type { Bench } from './bench.js';
import { keyedSends, plainSends } from './requests.js';
import type { Result, Row } from './result.js';

const CONCURRENCIES = [1, 16, 64];
const TARGET_AT = 64;
/** The clients that figures of Express and SQLite are published for. */
const CAMPFIRE_AT = 16;

interface Contender {
  readonly name: string;
  readonly child: Child;
  readonly request: (n: number) => Buffer;
  readonly concurrencies: readonly number[];
}

type Round = LoadResult & { cpuPerSend: number | null };

/**
 * Measures acknowledged sends, and the same requests to servers that store nothing. All of them take turns, so that
 * other work of the machine hits all alike.
 */
export async function measureSends({ organization, big, yardsticks, directory, effort, say }: Bench): Promise<Result> {
  const plain = plainSends(organization);
  const bareNest = { name: 'bare Nest + CQRS', child: yardsticks.nest, request: plain, concurrencies: CONCURRENCIES };
  const annals = { name: 'sends', child: big.child, request: plain, concurrencies: CONCURRENCIES };
  const keyed = {
    name: 'sends with local_id',
    child: big.child,
    request: inOneSequence(keyedSends(organization, randomUUID())),
    concurrencies: [TARGET_AT],
  };
  const floorDirectory = await mkdtemp(join(directory, 'floor-'));
  const floorChild = await startYardstick('floor', floorDirectory);
  const floor = { name: 'floor', child: floorChild, request: plain, concurrencies: CONCURRENCIES };
  const campfireDirectory = await mkdtemp(join(directory, 'campfire-'));
  const campfireChild = await startYardstick('campfire', campfireDirectory);
  const campfire = {
    name: 'Express + SQLite (no sync)',
    child: campfireChild,
    request: plain,
    concurrencies: [CAMPFIRE_AT],
  };
  const contenders: Contender[] = [
    annals,
    floor,
    campfire,
    bareNest,
    keyed,
    { name: 'bare Fastify', child: yardsticks.fastify, request: plain, concurrencies: CONCURRENCIES },
  ];

  let acknowledged = 0;
  const rounds = new Map<string, Round[]>();
  const roundsOf = ({ name }: Contender, concurrency: number) => {
    const key = `${name}, ${concurrency} at a time`;
    const known = rounds.get(key) ?? [];
    rounds.set(key, known);
    return known;
  };
  for (let round = 0; round < effort.sendRounds; round++) {
    for (const concurrency of CONCURRENCIES) {
      for (const contender of contenders.filter(({ concurrencies }) => concurrencies.includes(concurrency))) {
        say(`round ${round + 1} of ${effort.sendRounds}: ${contender.name}, ${concurrency} at a time`);
        const warmUp = round === 0 ? await oneRound(contender, concurrency, effort.warmUpSeconds) : null;
        const result = await oneRound(contender, concurrency, effort.sendSeconds);
        if (contender === floor) acknowledged += result.answers + (warmUp?.answers ?? 0);
        roundsOf(contender, concurrency).push(result);
      }
    }
  }

  await campfireChild.stop();
  await requireKept(floorChild, floorDirectory, acknowledged);

  const rows = [...rounds].map(([what, results]) => rowOf(what, results));
  /** Of a figure in percent of another contender's, the median of the rounds. */
  const share = (of: Contender, at: number, other: Contender, figure: (round: Round) => number, otherAt = at) =>
    median(
      roundsOf(of, at).map((one, round) => {
        const beside = roundsOf(other, otherAt)[round];
        return (100 * figure(one)) / (beside ? figure(beside) : Number.NaN);
      }),
    );
  const rate = ({ perSecond }: Round): number => perSecond;
  const ofFloor = { unit: "% of the floor's", bound: 'at least', limit: 50 } as const;
  const target = { unit: '% of bare Nest', bound: 'at least', limit: 40 } as const;
  return {
    rows,
    targets: [
      { what: `sends, ${TARGET_AT} at a time`, value: share(annals, TARGET_AT, bareNest, rate), ...target },
      {
        what: `sends with local_id, ${TARGET_AT} at a time`,
        value: share(keyed, TARGET_AT, bareNest, rate),
        ...target,
      },
      {
        what: 'sends, 1 at a time: p50',
        value: share(annals, 1, floor, ({ p50 }) => p50),
        ...ofFloor,
        bound: 'at most',
        limit: 200,
      },
      ...[16, TARGET_AT].map((at) => ({
        what: `sends, ${at} at a time`,
        value: share(annals, at, floor, rate),
        ...ofFloor,
      })),
      {
        what: `sends, synced to disk, ${CAMPFIRE_AT} at a time`,
        value: share(annals, CAMPFIRE_AT, campfire, rate),
        unit: '% of Express + SQLite, unsynced',
        bound: 'at least',
        limit: 100,
      },
      {
        what: 'sends with local_id',
        value: share(keyed, TARGET_AT, annals, rate),
        unit: "% of plain sends'",
        bound: 'at least',
        limit: 85,
      },
      {
        what: `sends, ${TARGET_AT} at a time: p99`,
        value: median(roundsOf(annals, TARGET_AT).map(({ p50, p99 }) => p99 / p50)),
        unit: '× p50',
        bound: 'at most',
        limit: 3,
      },
    ],
  };
}

/** Kills the floor, and reads back what it has acknowledged: it is honest, or no yardstick. */
async function requireKept(child: Child, directory: string, acknowledged: number): Promise<void> {
  await child.kill();
  const store = new FloorStore(directory);
  const kept = store.readBack();
  store.close();
  if (kept < acknowledged) throw new Error(`the floor has ${kept} of ${acknowledged} messages that it acknowledged`);
}

async function oneRound({ child, request }: Contender, concurrency: number, seconds: number): Promise<Round> {
  const before = child.cpuSeconds();
  const result = await closedLoop({ port: child.port, request, concurrency, isOver: after(seconds) });
  const used = child.cpuSeconds();
  const cpuPerSend = before === null || used === null ? null : ((used - before) * 1000) / result.answers;
  return { ...result, cpuPerSend };
}

function rowOf(what: string, rounds: readonly Round[]): Row {
  const middle = (figure: (round: Round) => number) => median(rounds.map(figure));
  const driver = `driver ${Math.round(100 * middle(({ driverCpu }) => driverCpu))} % of a processor`;
  const cpu = middle(({ cpuPerSend }) => cpuPerSend ?? Number.NaN);
  return {
    what,
    value: middle(({ perSecond }) => perSecond),
    unit: '/s',
    p50: middle((round) => round.p50),
    p99: middle((round) => round.p99),
    note: Number.isNaN(cpu) ? driver : `server ${cpu.toFixed(2)} ms CPU each, ${driver}`,
  };
}

/** Goes on counting from round to round, since a `local_id` is used once. */
function inOneSequence(request: (n: number) => Buffer) {
  let n = 0;
  return () => request(n++);
}
