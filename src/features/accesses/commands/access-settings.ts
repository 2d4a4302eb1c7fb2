export interface AccessSettings {
  /** Whether logins, refusals and other accesses become events. */
  readonly areRecorded: boolean;
}

/** Nest token. */
export const ACCESS_SETTINGS = Symbol('AccessSettings');
