/** Throws a die with `sides` sides, numbered from 0. */
export type Roll = (sides: number) => number;

/** Makes dice that throw the same numbers for the same seed. */
export function dice(seed: number): Roll {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

export const oneOf = <T>(list: readonly T[], roll: Roll): T => list[roll(list.length)] as T;
