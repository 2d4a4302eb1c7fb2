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
