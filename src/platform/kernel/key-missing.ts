/**
 * Stands for content whose key is missing although no event ends it: the keys are older than the log, or were lost.
 * Content whose key was destroyed is null. Only readers of the log tell the two apart: projections and deciders have null
 * for both.
 */
export const KEY_MISSING = { keyMissing: true } as const;

/** Tells whether a value stands for content whose key is missing. No content has this one member. */
export const isKeyMissing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'keyMissing') === true;
