/** What was measured when the server was asked once. */
export interface Sample {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  /** Which process has answered: one of several, or of one after another. */
  readonly startedAt: number | null;
}

/** Counts a second between each sample and the one before of the same process; null: there is none, or no count. */
export const ratesOf = <S extends Sample>(all: readonly S[], count: (sample: S) => number | null): (number | null)[] =>
  all.slice(1).map((sample, index) => {
    const before = all.slice(0, index + 1).findLast(({ startedAt }) => startedAt === sample.startedAt);
    const [from, to] = [before ? count(before) : null, count(sample)];
    if (!before || from === null || to === null) return null;
    return Math.max(0, ((to - from) * 1000) / (sample.at - before.at));
  });
