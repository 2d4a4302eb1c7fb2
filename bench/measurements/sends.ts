import { randomUUID } from 'node:crypto';
import { median } from '../driver/figures.js';
import { after, closedLoop, type LoadResult } from '../driver/load.js';
import type { Child } from '../servers/child.js';
import type { Bench } from './bench.js';
import { keyedSends, plainSends } from './requests.js';
import type { Result, Row } from './result.js';

const CONCURRENCIES = [1, 16, 64];
const TARGET_AT = 64;

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
export async function measureSends({ organization, big, yardsticks, effort, say }: Bench): Promise<Result> {
  const plain = plainSends(organization);
  const bareNest = { name: 'bare Nest + CQRS', child: yardsticks.nest, request: plain, concurrencies: CONCURRENCIES };
  const annals = { name: 'sends', child: big.child, request: plain, concurrencies: CONCURRENCIES };
  const keyed = {
    name: 'sends with local_id',
    child: big.child,
    request: inOneSequence(keyedSends(organization, randomUUID())),
    concurrencies: [TARGET_AT],
  };
  const contenders: Contender[] = [
    annals,
    bareNest,
    keyed,
    { name: 'bare Fastify', child: yardsticks.fastify, request: plain, concurrencies: CONCURRENCIES },
  ];

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
        if (round === 0) await oneRound(contender, concurrency, effort.warmUpSeconds);
        roundsOf(contender, concurrency).push(await oneRound(contender, concurrency, effort.sendSeconds));
      }
    }
  }

  const rows = [...rounds].map(([what, results]) => rowOf(what, results));
  const ratios = (contender: Contender) =>
    roundsOf(contender, TARGET_AT).map(
      ({ perSecond }, round) => (100 * perSecond) / (roundsOf(bareNest, TARGET_AT)[round]?.perSecond ?? Number.NaN),
    );
  const target = { unit: '% of bare Nest', bound: 'at least', limit: 40 } as const;
  return {
    rows,
    targets: [
      { what: `sends, ${TARGET_AT} at a time`, value: median(ratios(annals)), ...target },
      { what: `sends with local_id, ${TARGET_AT} at a time`, value: median(ratios(keyed)), ...target },
    ],
  };
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
