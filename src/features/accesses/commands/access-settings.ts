export interface AccessSettings {
  /** Whether logins, refusals and other accesses become events. */
  readonly areRecorded: boolean;
  /** Milliseconds for which addresses are kept after the end of their month; 0: there are none. */
  readonly addressesKeptFor: number;
}

/** Nest token. */
export const ACCESS_SETTINGS = Symbol('AccessSettings');
