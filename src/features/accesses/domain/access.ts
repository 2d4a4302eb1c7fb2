import type { AccessEvent, MoreAccesses, Times } from '../../../events/accesses/accesses.events.js';

/** An access as it is recorded one by one. */
type Single = Exclude<AccessEvent, MoreAccesses>;

/** What has happened, without how often. */
export type Access<E extends Single = Single> = E extends Single
  ? { readonly type: E['type']; readonly data: Omit<E['data'], keyof Times> }
  : never;

export interface Occasion {
  /** The account or, without one, the network that an access comes from. */
  readonly source: string;
  /** Addresses of one network are one; null: not known. */
  readonly network: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}
