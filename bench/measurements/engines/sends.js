// @ts-check
import { burst, Refused } from '../../driver/burst.js';
import { median } from '../../driver/figures.js';
import { after, closedLoop, repeated } from '../../driver/load.js';
import { raiseUntilFlat } from '../../driver/raise.js';
import { plainSends } from '../requests.js';
import { insertOne, insertTogether } from './bare-documents.js';
import { appendBare, moreEvents, sealedEvents } from './bare-log.js';

const MESSAGES = 'messages';
const WARM_UP_LEVEL = 128;

/** @typedef {import('./bench.js').EngineBench} EngineBench */
/** @typedef {import('../../servers/child.js').Child} Child */
/** @typedef {{ perSecond: number, p50?: number, p99?: number, cpu?: string }} Rate */

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {readonly number[]} levels
 * @property {(level: number, seconds?: number) => Promise<Rate>} measure
 */

/**
 * Sends through so many processes, and what the engines' own clients do: all of them round by round in turn, so that
 * what else the machine does hits all of them.
 *
 * @param {number} count of processes
 * @param {EngineBench} bench
 * @returns {Promise<import('../result.js').Result>}
 */
export async function measureSendsThrough(count, bench) {
  const { fleet, effort, say } = bench;
  const apis = await fleet.apis(count);
  const processes = count === 1 ? '1 process' : `${count} processes`;
  const bareAppends = bareAppendsOf(bench);
  const stored = storedSends(`sends stored, ${processes}`, apis, false, bench);
  const alone = storedSends(`the same while the worker stands still, ${processes}`, apis, true, bench);
  const acknowledged = acknowledgedSends(`sends acknowledged, ${processes}`, apis, bench);
  const documents = count === 1 ? bareInsertsOf(bench) : [];
  const contenders = [bareAppends, stored, alone, acknowledged, ...documents];

  for (const contender of [bareAppends, acknowledged]) {
    say(`${contender.name}: warming up`);
    await contender.measure(WARM_UP_LEVEL, effort.warmUpSeconds);
    await fleet.settled();
  }

  /** @type {Map<Contender, { level: number, rates: Rate[] }>} */
  const figures = new Map();
  for (const contender of contenders) {
    say(`${contender.name}: raised until that brings nothing more`);
    const level = await raiseUntilFlat(contender.levels, effort.times, async (raised) => {
      const { perSecond } = await contender.measure(raised);
      await fleet.settled();
      return perSecond;
    });
    figures.set(contender, { level, rates: [] });
  }
  for (let round = 1; round <= effort.rounds; round++) {
    say(`${processes}, round ${round} of ${effort.rounds}`);
    for (const [contender, { level, rates }] of figures) {
      rates.push(await contender.measure(level));
      await fleet.settled();
    }
  }

  const shareOfBare = (/** @type {Contender} */ contender) =>
    median(
      ratesOf(figures, contender).map(
        ({ perSecond }, round) => (100 * perSecond) / (ratesOf(figures, bareAppends)[round]?.perSecond ?? Number.NaN),
      ),
    );
  const rows = [...figures].map(([contender, { level, rates }]) => {
    const isSend = [stored, alone, acknowledged].includes(contender);
    return rowOf(contender.name, level, rates, isSend ? shareOfBare(contender) : null);
  });
  const target = /** @type {const} */ ({ unit: '% of bare appends', bound: 'at least', limit: 60 });
  const targets = [stored, alone].map((contender) => ({
    what: contender.name,
    value: shareOfBare(contender),
    ...target,
  }));
  return { rows, targets };
}

/** @param {EngineBench} bench @returns {Contender} */
function bareAppendsOf({ organization, engines, effort }) {
  const next = sealedEvents(organization);
  return {
    name: 'bare client: appends of one event',
    levels: effort.concurrencies,
    measure: async (concurrency, seconds = effort.seconds) => {
      const work = () => appendBare(engines, next());
      const cpu = cpuOf({ EventStoreDB: ownServers(engines) });
      const result = await repeated({ concurrency, isOver: after(seconds), work });
      const own = `client ${((1000 * result.driverCpu) / result.perSecond).toFixed(2)}`;
      return { ...result, cpu: cpu(result.answers, own) };
    },
  };
}

/** @param {EngineBench} bench @returns {Contender[]} */
function bareInsertsOf({ engines, effort }) {
  return [
    {
      name: 'bare client: inserts of one key',
      levels: effort.concurrencies,
      measure: (concurrency) =>
        repeated({ concurrency, isOver: after(effort.seconds), work: () => insertOne(engines) }),
    },
    {
      name: 'bare client: keys inserted together',
      levels: effort.concurrencies,
      measure: async (together) => {
        const work = () => insertTogether(engines, together);
        const { perSecond } = await repeated({ concurrency: 1, isOver: after(effort.seconds), work });
        return { perSecond: perSecond * together };
      },
    },
  ];
}

/**
 * Until they are in the log, key write included, whenever they are answered.
 *
 * @param {string} name
 * @param {readonly Child[]} apis
 * @param {boolean} isWorkerStill the machine is the sends' alone
 * @param {EngineBench} bench
 * @returns {Contender}
 */
function storedSends(name, apis, isWorkerStill, { organization, engines, fleet, effort, say }) {
  const request = plainSends(organization);
  const ports = apis.map(({ port }) => port);
  return {
    name,
    levels: effort.bursts,
    measure: async (count) => {
      const areStored = await moreEvents(engines, engines.streamPrefix + MESSAGES, count);
      const isDone = async () => {
        await areStored();
        fleet.worker.thaw();
      };
      const watch = () => cpuOf({ api: apis, worker: [fleet.worker], EventStoreDB: ownServers(engines) });
      if (isWorkerStill) fleet.worker.freeze();
      try {
        return await burst({ ports, request, count, isDone, watch });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        say(`${count} at the same moment are too many: ${error.message}`);
        return { perSecond: 0 };
      } finally {
        fleet.worker.thaw();
      }
    },
  };
}

/**
 * With an answer, after which whoever sent it can read it.
 *
 * @param {string} name
 * @param {readonly Child[]} apis
 * @param {EngineBench} bench
 * @returns {Contender}
 */
function acknowledgedSends(name, apis, { organization, engines, fleet, effort }) {
  const request = plainSends(organization);
  const port = apis.map((api) => api.port);
  return {
    name,
    levels: effort.concurrencies,
    measure: async (concurrency, seconds = effort.seconds) => {
      const cpu = cpuOf({ api: apis, worker: [fleet.worker], EventStoreDB: ownServers(engines) });
      const result = await closedLoop({ port, request, concurrency, isOver: after(seconds) });
      const driver = `driver ${((1000 * result.driverCpu) / result.perSecond).toFixed(2)}`;
      return { ...result, cpu: cpu(result.answers, driver) };
    },
  };
}

/**
 * Processor time that servers use from now on.
 *
 * @param {Readonly<Record<string, readonly Child[]>>} servers
 * @returns {(count: number, more?: string) => string} of each of so many, milliseconds
 */
function cpuOf(servers) {
  const used = () => Object.entries(servers).map(([name, children]) => ({ name, seconds: sumOf(children) }));
  const before = used();
  return (count, more) => {
    const each = used().flatMap(({ name, seconds }, index) => {
      const earlier = before[index]?.seconds ?? null;
      if (seconds === null || earlier === null) return [];
      return `${name} ${((1000 * (seconds - earlier)) / count).toFixed(2)}`;
    });
    return `ms CPU each: ${[...each, ...(more === undefined ? [] : [more])].join(', ')}`;
  };
}

/** Whose processor time can be known. @param {import('../../servers/engines.js').Engines} engines */
const ownServers = ({ standIn }) => (standIn ? [standIn] : []);

/** null where the system does not tell, or there is none. @param {readonly Child[]} children */
function sumOf(children) {
  const seconds = children.map((child) => child.cpuSeconds());
  return seconds.length === 0 || seconds.includes(null)
    ? null
    : seconds.reduce((sum, one) => /** @type {number} */ (sum) + (one ?? 0), 0);
}

/** @param {ReadonlyMap<Contender, { rates: Rate[] }>} figures @param {Contender} contender */
const ratesOf = (figures, contender) => figures.get(contender)?.rates ?? [];

/**
 * @param {string} name
 * @param {number} level
 * @param {readonly Rate[]} rates
 * @param {number | null} share of the bare appends, percent
 * @returns {import('../result.js').Row}
 */
function rowOf(name, level, rates, share) {
  const middle = (/** @type {(rate: Rate) => number | undefined} */ of) => {
    const values = rates.flatMap((rate) => of(rate) ?? []);
    return values.length === 0 ? {} : median(values);
  };
  const latency = (/** @type {'p50' | 'p99'} */ part) => {
    const value = middle((rate) => rate[part]);
    return typeof value === 'number' ? { [part]: value } : {};
  };
  return {
    what: `${name}, ${level} at a time`,
    value: median(rates.map(({ perSecond }) => perSecond)),
    unit: '/s',
    ...latency('p50'),
    ...latency('p99'),
    note: [share === null ? null : `${share.toFixed(0)} % of bare appends`, rates.at(-1)?.cpu ?? null]
      .filter((part) => part !== null)
      .join('; '),
  };
}
