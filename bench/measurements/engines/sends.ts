import { burst, Refused } from '../../driver/burst.js';
import { median } from '../../driver/figures.js';
import { after, closedLoop, repeated } from '../../driver/load.js';
import { raiseUntilFlat } from '../../driver/raise.js';
import type { Child } from '../../servers/child.js';
import type { Engines } from '../../servers/engines.js';
import { plainSends } from '../requests.js';
import type { Result, Row } from '../result.js';
import { insertOne, insertTogether } from './bare-documents.js';
import { appendBare, moreEvents, sealedEvents } from './bare-log.js';
import type { EngineBench } from './bench.js';

const MESSAGES = 'messages';
const WARM_UP_LEVEL = 128;

type Rate = { perSecond: number; p50?: number; p99?: number; cpu?: string };

interface Contender {
  readonly name: string;
  readonly levels: readonly number[];
  readonly measure: (level: number, seconds?: number) => Promise<Rate>;
}

/**
 * Measures sends through so many processes, and the engines' own clients. All of them take turns, so that other work of
 * the machine hits all alike.
 */
export async function measureSendsThrough(count: number, bench: EngineBench): Promise<Result> {
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

  const figures = new Map<Contender, { level: number; rates: Rate[] }>();
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

  const shareOfBare = (contender: Contender) =>
    median(
      ratesOf(figures, contender).map(
        ({ perSecond }, round) => (100 * perSecond) / (ratesOf(figures, bareAppends)[round]?.perSecond ?? Number.NaN),
      ),
    );
  const rows = [...figures].map(([contender, { level, rates }]) => {
    const isSend = [stored, alone, acknowledged].includes(contender);
    return rowOf(contender.name, level, rates, isSend ? shareOfBare(contender) : null);
  });
  const target = { unit: '% of bare appends', bound: 'at least', limit: 60 } as const;
  const targets = [stored, alone].map((contender) => ({
    what: contender.name,
    value: shareOfBare(contender),
    ...target,
  }));
  return { rows, targets };
}

function bareAppendsOf({ organization, engines, effort }: EngineBench): Contender {
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

function bareInsertsOf({ engines, effort }: EngineBench): Contender[] {
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
 * Measures sends until they are in the log, their keys stored first, whenever they are answered.
 *
 * @param isWorkerStill stops the worker meanwhile, so that the sends have the machine to themselves
 */
function storedSends(
  name: string,
  apis: readonly Child[],
  isWorkerStill: boolean,
  { organization, engines, fleet, effort, say }: EngineBench,
): Contender {
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

/** Measures sends until they are answered, when their senders can read them. */
function acknowledgedSends(
  name: string,
  apis: readonly Child[],
  { organization, engines, fleet, effort }: EngineBench,
): Contender {
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
 * Measures the processor time that servers use from now on.
 *
 * @returns a function that says how many milliseconds each of so many requests took
 */
function cpuOf(servers: Readonly<Record<string, readonly Child[]>>): (count: number, more?: string) => string {
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

/** Lists the servers of the log whose processor time can be known: those started here. */
const ownServers = ({ standIn }: Engines) => (standIn ? [standIn] : []);

/** Adds up processor times; null if the system does not tell them, or there is no process. */
function sumOf(children: readonly Child[]): number | null {
  const seconds = children.map((child) => child.cpuSeconds()).filter((one) => one !== null);
  return seconds.length === 0 || seconds.length < children.length ? null : seconds.reduce((sum, one) => sum + one, 0);
}

const ratesOf = (figures: ReadonlyMap<Contender, { rates: Rate[] }>, contender: Contender) =>
  figures.get(contender)?.rates ?? [];

/** @param share in percent of the bare appends; null for rates that are not compared with them */
function rowOf(name: string, level: number, rates: readonly Rate[], share: number | null): Row {
  const middle = (of: (rate: Rate) => number | undefined) => {
    const values = rates.flatMap((rate) => of(rate) ?? []);
    return values.length === 0 ? {} : median(values);
  };
  const latency = (part: 'p50' | 'p99') => {
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
