/** A long list for an answer, whose elements are made when they are written: some in each turn of the event loop. */
export class ListInTurns<T, Shown = unknown> implements Iterable<Shown> {
  /**
   * @param facts what the elements are made of; it must not change
   * @param shown makes an element
   */
  constructor(
    private readonly facts: readonly T[],
    private readonly shown: (fact: T) => Shown,
  ) {}

  *[Symbol.iterator](): Iterator<Shown> {
    for (const fact of this.facts) yield this.shown(fact);
  }

  toJSON(): Shown[] {
    return [...this];
  }
}

/** A long object for an answer, by key, whose members are made when they are written: some in each turn of the event loop. */
export class ObjectInTurns<T, Shown = unknown> implements Iterable<readonly [string, Shown]> {
  /**
   * @param facts what the members are made of, by key; they must not change
   * @param shown makes a member's value
   */
  constructor(
    private readonly facts: readonly (readonly [string, T])[],
    private readonly shown: (fact: T) => Shown,
  ) {}

  *[Symbol.iterator](): Iterator<readonly [string, Shown]> {
    for (const [key, fact] of this.facts) yield [key, this.shown(fact)];
  }

  toJSON(): Record<string, Shown> {
    return Object.fromEntries(this);
  }
}
