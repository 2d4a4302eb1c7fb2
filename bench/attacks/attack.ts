import type { Organization } from '../data/organization.js';
import type { Child } from '../servers/child.js';

/** The server under attack, and who attacks it. */
export interface Target {
  readonly port: number;
  readonly child: Child;
  readonly organization: Organization;
  /** Repeats a run: numbers from 0 to 1, which depend on the seed alone. */
  readonly random: () => number;
}

/** What an attacker has to tell, for the table. */
export type Told = string;

export interface Attack {
  readonly name: string;
  /** The most memory that it may add, MiB; default 200. */
  readonly mostMiB?: number;
  /** Ends by itself, within some seconds. */
  readonly run: (target: Target) => Promise<Told>;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
