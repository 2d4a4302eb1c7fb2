import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareData } from '../data/prepare.js';
import { median } from '../driver/figures.js';
import { after, closedLoop } from '../driver/load.js';
import { inRepository } from '../root.js';
import { ANNALS, becomesReady, spawnAnnals } from '../servers/annals.js';
import type { Child } from '../servers/child.js';
import type { Bench } from './bench.js';
import { plainSends } from './requests.js';
import type { Result } from './result.js';

const WITHOUT_TREE = inRepository('bench/servers/without-tree.js');
const MESSAGES = 1000;
const CONCURRENCIES = [1, 64];
/** Percent of the sends a second. */
const MOST_LOST = 5;

/** Measures what the log's tree costs sends: two servers on equal logs, one of which keeps no tree, take turns. */
export async function measureTreeCost({ organization, directory, effort, say }: Bench): Promise<Result> {
  const [withTree, without] = [join(directory, 'with-tree'), join(directory, 'without-tree')];
  await prepareData({ organization, messages: MESSAGES, directory: withTree, keep: null, say });
  await cp(withTree, without, { recursive: true });
  const children = [await started(withTree, ANNALS), await started(without, WITHOUT_TREE)] as const;
  const request = plainSends(organization);
  const result: Result = { rows: [], targets: [] };
  try {
    for (const concurrency of CONCURRENCIES) {
      const round = async (child: Child, seconds: number) => {
        const before = child.cpuSeconds() ?? Number.NaN;
        const load = await closedLoop({ port: child.port, request, concurrency, isOver: after(seconds) });
        return { ...load, cpu: (1000 * ((child.cpuSeconds() ?? Number.NaN) - before)) / load.answers };
      };
      for (const child of children) await round(child, effort.warmUpSeconds);
      const pairs = [];
      for (let n = 1; n <= effort.sendRounds; n++) {
        say(`cost of the tree: round ${n} of ${effort.sendRounds}, ${concurrency} at a time`);
        // Whoever comes first changes: a disk or a processor may get slower meanwhile.
        const order = n % 2 === 0 ? [0, 1] : [1, 0];
        const loads = [];
        for (const at of order) loads[at] = await round(children[at === 0 ? 0 : 1], effort.sendSeconds);
        const [own, bare] = loads;
        if (own && bare) pairs.push({ own, bare, lost: 100 * (1 - own.perSecond / bare.perSecond) });
      }
      const what = `sends lost to the tree, ${concurrency} at a time`;
      const value = median(pairs.map(({ lost }) => lost));
      const [rate, bareRate] = [
        median(pairs.map(({ own }) => own.perSecond)),
        median(pairs.map(({ bare }) => bare.perSecond)),
      ];
      const [cpu, bareCpu] = [median(pairs.map(({ own }) => own.cpu)), median(pairs.map(({ bare }) => bare.cpu))];
      const note = `${rate.toFixed(0)}/s, without ${bareRate.toFixed(0)}/s; ${cpu.toFixed(2)} ms CPU each, without ${bareCpu.toFixed(2)}`;
      result.rows.push({ what, unit: '%', value, note });
      result.targets.push({ what, value, unit: '%', bound: 'at most', limit: MOST_LOST });
    }
  } finally {
    for (const child of children) await child.stop();
  }
  return result;
}

async function started(dataDirectory: string, program: string): Promise<Child> {
  const child = await spawnAnnals({ command: 'start', program, dataDirectory, profileDirectory: null });
  await becomesReady(child, 120);
  return child;
}
