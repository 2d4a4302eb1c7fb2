import { availableParallelism } from 'node:os';
import type { Projection } from '../../src/platform/read-models/projection.js';
import type { BuildProgress } from './rebuild-protocol.js';

/** Each thread has a heap of its own: more of them would not keep within a rebuild's budget of memory. */
const MOST_THREADS = 2;

/** A searched field costs about as much as so many indexes. */
const INDEXES_OF_TEXT = 3;

/** Shares out projections among as many rebuild threads as there are cores, at most two. Each thread reads the log. */
export function sharesOf<T extends { readonly projection: Projection }>(
  builds: readonly T[],
  cores = availableParallelism(),
): readonly (readonly T[])[] {
  const empty = (): { cost: number; builds: T[] } => ({ cost: 0, builds: [] });
  const shares = Array.from({ length: Math.min(cores, MOST_THREADS) }, empty);
  const costs = builds.map((build) => ({ build, cost: costOf(build.projection) }));
  for (const { build, cost } of costs.sort((a, b) => b.cost - a.cost)) {
    const least = shares.reduce((a, b) => (b.cost < a.cost ? b : a));
    least.builds.push(build);
    least.cost += cost;
  }
  return shares.map(({ builds: own }) => own).filter((own) => own.length > 0);
}

/** The costs of a projection's events, compared with other projections: its indexes tell. */
function costOf({ collections }: Projection): number {
  let cost = 1;
  for (const { indexes = [], text = [], textScope = [] } of Object.values(collections)) {
    cost += indexes.length + INDEXES_OF_TEXT * text.length + textScope.length;
  }
  return cost;
}

/** The progress of several threads as one: that of the thread furthest behind, and the stall of any. */
export function slowestOf(all: readonly BuildProgress[]): BuildProgress {
  const slowest = all.reduce((a, b) => (b.position < a.position ? b : a));
  const stalled = all.find(({ stall }) => stall !== null);
  return { ...(stalled ?? slowest), projections: all.flatMap(({ projections }) => projections) };
}
