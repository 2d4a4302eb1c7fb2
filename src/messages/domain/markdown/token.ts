/** A piece of code, and the class by which clients colour it; null: none. */
export type Token = readonly [kind: string | null, code: string];
