// @ts-check
import { randomUUID } from 'node:crypto';
import { median } from '../driver/figures.js';
import { after, closedLoop } from '../driver/load.js';
import { keyedSends, plainSends } from './requests.js';

const CONCURRENCIES = [1, 16, 64];
const TARGET_AT = 64;

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {import('../servers/child.js').Child} child
 * @property {(n: number) => Buffer} request
 * @property {readonly number[]} concurrencies
 */

/** @typedef {import('../driver/load.js').LoadResult & { cpuPerSend: number | null }} Round */

/**
 * Acknowledged sends, and the same requests to servers that store nothing: round by round in turn, so that what else
 * the machine does hits all of them.
 *
 * @param {import('./bench.js').Bench} bench
 * @returns {Promise<import('./result.js').Result>}
 */
export async function measureSends({ organization, big, yardsticks, effort, say }) {
  const plain = plainSends(organization);
  const bareNest = { name: 'bare Nest + CQRS', child: yardsticks.nest, request: plain, concurrencies: CONCURRENCIES };
  const annals = { name: 'sends', child: big.child, request: plain, concurrencies: CONCURRENCIES };
  const keyed = {
    name: 'sends with local_id',
    child: big.child,
    request: inOneSequence(keyedSends(organization, randomUUID())),
    concurrencies: [TARGET_AT],
  };
  /** @type {Contender[]} */
  const contenders = [
    annals,
    bareNest,
    keyed,
    { name: 'bare Fastify', child: yardsticks.fastify, request: plain, concurrencies: CONCURRENCIES },
  ];

  /** @type {Map<string, Round[]>} */
  const rounds = new Map();
  const roundsOf = (/** @type {Contender} */ { name }, /** @type {number} */ concurrency) => {
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
  const ratios = (/** @type {Contender} */ contender) =>
    roundsOf(contender, TARGET_AT).map(
      ({ perSecond }, round) => (100 * perSecond) / (roundsOf(bareNest, TARGET_AT)[round]?.perSecond ?? Number.NaN),
    );
  const target = /** @type {const} */ ({ unit: '% of bare Nest', bound: 'at least', limit: 40 });
  return {
    rows,
    targets: [
      { what: `sends, ${TARGET_AT} at a time`, value: median(ratios(annals)), ...target },
      { what: `sends with local_id, ${TARGET_AT} at a time`, value: median(ratios(keyed)), ...target },
    ],
  };
}

/** @param {Contender} contender @param {number} concurrency @param {number} seconds @returns {Promise<Round>} */
async function oneRound({ child, request }, concurrency, seconds) {
  const before = child.cpuSeconds();
  const result = await closedLoop({ port: child.port, request, concurrency, isOver: after(seconds) });
  const used = child.cpuSeconds();
  const cpuPerSend = before === null || used === null ? null : ((used - before) * 1000) / result.answers;
  return { ...result, cpuPerSend };
}

/** @param {string} what @param {readonly Round[]} rounds @returns {import('./result.js').Row} */
function rowOf(what, rounds) {
  const middle = (/** @type {(round: Round) => number} */ figure) => median(rounds.map(figure));
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

/** Numbers go on from round to round: a `local_id` is used once. @param {(n: number) => Buffer} request */
function inOneSequence(request) {
  let n = 0;
  return () => request(n++);
}
