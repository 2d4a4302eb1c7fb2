/** A line of the table. Times are in milliseconds. */
export interface Row {
  readonly what: string;
  readonly value: number | null;
  readonly unit: string;
  readonly p50?: number;
  readonly p99?: number;
  readonly note?: string;
}

/** A figure that the project set out to reach. */
export interface Target {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

export type Result = { readonly rows: Row[]; readonly targets: Target[] };

export const isMet = ({ value, bound, limit }: Target) => (bound === 'at least' ? value >= limit : value <= limit);
