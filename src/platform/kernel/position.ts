/**
 * A place in the log. Positions grow with log order and may have gaps: compare them, never count with them.
 * Safe integers below 2^41, so that a position and a rank under it make one safe integer (D10).
 */
export type Position = number;

/** The position before the first event of any log. */
export const START: Position = 0;

export const MAX_POSITION: Position = 2 ** 41 - 1;
