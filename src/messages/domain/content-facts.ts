/** What is known of others when words are written (D4): whom and what the names in them stand for. */
export interface ContentFacts {
  readonly names: NameFacts;
}

/** What names stand for, to the one who writes. */
export interface NameFacts {
  /** By full name, in any case; undefined where nobody is called so. */
  user(name: string): NamedUser | undefined;
  userById(id: number): NamedUser | undefined;
  group(name: string): NamedGroup | undefined;
  /** By name, in any case; undefined where the writer sees no such channel. */
  channel(name: string): NamedChannel | undefined;
}

export interface NamedUser {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

export interface NamedGroup {
  readonly id: number;
  readonly name: string;
  readonly isDeactivated: boolean;
}

export interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

/** Of words that name nobody and nothing. */
export const NO_CONTENT_FACTS: ContentFacts = {
  names: { user: () => undefined, userById: () => undefined, group: () => undefined, channel: () => undefined },
};
