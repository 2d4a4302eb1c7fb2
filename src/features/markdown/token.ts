/** A piece of code, and the CSS class that clients colour it by; null: none. */
export type Token = readonly [kind: string | null, code: string];
