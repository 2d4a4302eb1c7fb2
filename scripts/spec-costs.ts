import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { LOADING } from './timed-environment.js';

/**
 * Seconds of processor time that a spec of `npm test` may take, on the reference machine of `known-work.js`. A spec that takes
 * more is named.
 */
const BUDGET_S = 15;
/** A spec that takes this many times its budget fails the run: it becomes cheaper, or a slow one. */
const ROOM = 3;
const SHOWN = 20;

/** What the specs of a run took, by path from the root. */
export interface Costs {
  readonly specs: ReadonlyMap<string, Cost>;
  /** How slow the machine was, compared with the reference machine: the median of the run. */
  readonly slowness: number;
}

export interface Cost {
  readonly seconds: number;
  /** Processor time of the worker and of the processes that the spec started, as the reference machine would take it. */
  readonly processorSeconds: number;
}

/** Adds up what `timed-environment.js` has noted in a file. */
export async function readCosts(file: string): Promise<Costs> {
  const lines = existsSync(file) ? (await readFile(file, 'utf8')).split('\n').filter(Boolean) : [];
  const notes: readonly Note[] = lines.map((line) => JSON.parse(line));
  const slowness = median(notes.flatMap((note) => ('slowness' in note ? [note.slowness] : [])));
  const specs = new Map<string, Cost>();
  for (const note of notes) {
    if ('slowness' in note) continue;
    const { seconds, processorSeconds } = specs.get(note.spec) ?? { seconds: 0, processorSeconds: 0 };
    specs.set(note.spec, {
      seconds: seconds + note.ms / 1000,
      processorSeconds: processorSeconds + note.cpuMs / 1000 / slowness,
    });
  }
  return { specs, slowness };
}

type Note = { readonly spec: string; readonly ms: number; readonly cpuMs: number } | { readonly slowness: number };

/**
 * Prints the costliest specs and the sum.
 *
 * @returns the specs that take so much that the run has failed
 */
export function reportCosts({ specs, slowness }: Costs): readonly string[] {
  const costs = [...specs].toSorted(([, a], [, b]) => b.processorSeconds - a.processorSeconds);
  const sum = costs.reduce((total, [, { processorSeconds }]) => total + processorSeconds, 0);
  console.log(
    `\nProcessor time, in seconds of a machine that is ${slowness.toFixed(2)} times as fast, and seconds that passed:`,
  );
  for (const [spec, cost] of costs.slice(0, SHOWN)) console.log(lineOf(spec, cost));
  console.log(`${sum.toFixed(0).padStart(8)} in all ${costs.length - 1} specs`);
  const own = costs.filter(([spec]) => spec !== LOADING);
  const dear = own.filter(([, { processorSeconds }]) => processorSeconds > BUDGET_S);
  for (const [spec, cost] of dear) console.log(`above the budget of ${BUDGET_S} s:${lineOf(spec, cost)}`);
  return dear.filter(([, { processorSeconds }]) => processorSeconds > ROOM * BUDGET_S).map(([spec]) => spec);
}

const lineOf = (spec: string, { seconds, processorSeconds }: Cost): string =>
  `${processorSeconds.toFixed(1).padStart(8)} ${seconds.toFixed(1).padStart(7)}  ${spec}`;

function median(numbers: readonly number[]): number {
  const inOrder = numbers.toSorted((a, b) => a - b);
  return inOrder[Math.floor(inOrder.length / 2)] ?? 1;
}
