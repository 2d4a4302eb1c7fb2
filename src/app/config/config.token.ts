/** Nest token of the process's settings. */
export const CONFIG = Symbol('Config');
