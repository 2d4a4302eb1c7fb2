/** Throws a die with some number of sides: from 0 to one less. */
export type Roll = (sides: number) => number;

/** Throws the same numbers for the same seed. */
export function dice(seed: number): Roll {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

export const oneOf = <T>(list: readonly T[], roll: Roll): T => list[roll(list.length)] as T;
