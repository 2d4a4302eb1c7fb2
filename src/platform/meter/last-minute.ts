import type { Histogram } from 'node:perf_hooks';

/** Half of the values are at most `p50`, 99 % at most `p99`. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** The values of the last minute: of its last half at least. Each is recorded twice, so that nothing is added up later. */
export class LastMinute<H extends Histogram> {
  private elder: H;
  private younger: H;

  constructor(make: () => H) {
    this.elder = make();
    this.younger = make();
  }

  /** Both must get each value. */
  get both(): readonly [H, H] {
    return [this.elder, this.younger];
  }

  /** Forgets what is older than the last turn. Called every half minute. */
  turn(): void {
    const { elder, younger } = this;
    elder.reset();
    this.elder = younger;
    this.younger = elder;
  }

  /** @param read converts a recorded value @returns null if there is no value */
  percentiles(read: (value: number) => number): Percentiles | null {
    const { elder } = this;
    if (elder.count === 0) return null;
    return { p50: read(elder.percentile(50)), p99: read(elder.percentile(99)) };
  }
}
