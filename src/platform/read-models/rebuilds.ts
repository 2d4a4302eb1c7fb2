/** Builds documents anew beside those that are read. */
export interface Rebuilds {
  /** Names of the projections. */
  readonly names: readonly string[];
  isUnderWay(name: string): boolean;
  /**
   * Resolves when the build has begun. Health tells how it goes on.
   * @returns the database that is read until the new one is there; null: there is none
   * @throws RebuildNotBegun
   */
  begin(name: string): Promise<string | null>;
}

/** Nothing has changed. */
export class RebuildNotBegun extends Error {
  override readonly name = 'RebuildNotBegun';
}

/** Nest token. */
export const REBUILDS = Symbol('Rebuilds');
